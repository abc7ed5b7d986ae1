"""Pages of a list by a cursor: quick on any page, and no row twice while others are added."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Schema
from pydantic import Field

from coach.api.v1.problems import Refused

Row = TypeVar("Row", bound=Model)
Out = TypeVar("Out")

_SALT = "coach.api.cursor"


class PageQuery(Schema):
    """The query parameters of a list."""

    limit: int = Field(25, ge=1, le=100, description="Rows on a page.")
    cursor: str = Field(
        "", max_length=500, description="From `next` of the page before; empty for the first page."
    )


Paged = Annotated[PageQuery, Query()]


class Page(Schema, Generic[Out]):
    """A page of a list, newest first."""

    results: list[Out]
    next: str | None = Field(description="The address of the next page; null on the last one.")


def rows_on_page(
    rows: QuerySet[Row],
    page: PageQuery,
    *,
    by: str,
    value: Callable[[Row], Any],
) -> tuple[list[Row], str | None]:
    """Return the rows of a page, and the cursor of the next one or None. Raises Refused.

    Args:
        by: The column that sorts, a time that is never empty; `value` reads it from a row.
    """
    rows = rows.order_by(f"-{by}", "-pk")
    if page.cursor:
        at, key = _read(page.cursor)
        rows = rows.filter(Q(**{f"{by}__lt": at}) | Q(**{by: at, "pk__lt": key}))
    found = list(rows[: page.limit + 1])
    if len(found) <= page.limit:
        return found, None
    last = found[page.limit - 1]
    position = [value(last).isoformat(), str(last.pk)]
    return found[: page.limit], signing.dumps(position, salt=_SALT)


def _read(cursor: str) -> tuple[str, str]:
    try:
        # Signed, so that it holds nothing but what we wrote.
        at, key = signing.loads(cursor, salt=_SALT)
    except (signing.BadSignature, ValueError) as error:
        sentence = _("This cursor is not one of ours. Begin with the first page.")
        raise Refused(404, "unknown_cursor", sentence) from error
    return at, key


def next_url(request: HttpRequest, page: PageQuery, cursor: str | None, **also: str) -> str | None:
    """Return the address of the next page, with the same filters."""
    if cursor is None:
        return None
    query = urlencode({**also, "limit": page.limit, "cursor": cursor})
    return request.build_absolute_uri(f"{request.path}?{query}")
