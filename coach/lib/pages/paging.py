"""Pagination of long lists: bounded queries, links without JavaScript, and "n of m"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from coach.lib.words.numbers import grouped

M = TypeVar("M", bound=Model)
R = TypeVar("R")

MOST_COUNTED = 2_500
"""Nobody reads on to a row so far down, and counting them all would read a growing table to its end
(rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """Position of a page in its list; a link is empty if there is no such page."""

    words: str
    """'21-40 of 340'."""
    previous: str = ""
    following: str = ""

    @property
    def is_needed(self) -> bool:
        """Return whether there is another page."""
        return bool(self.previous or self.following)


def count_up_to(rows: QuerySet[M, Any], most: int = MOST_COUNTED) -> int:
    """Return the number of rows, or `most` + 1 if there are more, without counting further."""
    return rows.order_by()[: most + 1].count()


def count_words(count: int, most: int = MOST_COUNTED) -> str:
    """Return a count as words: '340', or 'more than 2 500'."""
    if count > most:
        return _("more than %(count)s") % {"count": f"{most:,}".replace(",", "\u202f")}
    return str(count)


def page_of(
    request: HttpRequest,
    rows: QuerySet[M, R],
    *,
    size: int,
    counted: QuerySet[Any, Any] | None = None,
) -> tuple[Sequence[R], Paging]:
    """Return the rows of the requested page, in the order of the query set, and its position.

    An invalid number, or one out of range, gives the nearest page: an old link still opens.
    `counted` may be a simpler query set of about as many rows, if counting the rows themselves is
    expensive.
    """
    number = _number(request.GET.get("page", ""))
    count = None if number == 1 else _count(rows, counted)
    if count is not None:
        number = min(number, max((min(count, MOST_COUNTED) + size - 1) // size, 1))
    start = (number - 1) * size
    found = list(rows[start : start + size + 1])
    is_last = len(found) <= size
    shown = found[:size]
    if is_last and (shown or number == 1):
        count = start + len(shown)
    elif count is None:
        count = _count(rows, counted)
    words = _("%(first)s–%(last)s of %(count)s") % {
        "first": start + 1 if shown else 0,
        "last": start + len(shown),
        "count": count_words(count or 0),
    }
    following = "" if is_last or start + size >= MOST_COUNTED else _link(request, number + 1)
    previous = _link(request, number - 1) if number > 1 else ""
    return shown, Paging(words=words, previous=previous, following=following)


def part_of(request: HttpRequest, rows: Sequence[R], *, size: int) -> tuple[Sequence[R], Paging]:
    """Return the requested part of rows that are all in memory, and its position."""
    last = max((len(rows) + size - 1) // size, 1)
    number = min(_number(request.GET.get("page", "")), last)
    start = (number - 1) * size
    shown = rows[start : start + size]
    words = _("%(first)s–%(last)s of %(count)s") % {
        "first": start + 1 if shown else 0,
        "last": start + len(shown),
        "count": grouped(len(rows)),
    }
    following = _link(request, number + 1) if number < last else ""
    previous = _link(request, number - 1) if number > 1 else ""
    return shown, Paging(words=words, previous=previous, following=following)


def _count(rows: QuerySet[Any, Any], counted: QuerySet[Any, Any] | None) -> int:
    return count_up_to(rows if counted is None else counted)


def _number(text: str) -> int:
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) <= 6 else 1


def _link(request: HttpRequest, number: int) -> str:
    """Return the current URL with another page number; filters stay."""
    query = request.GET.copy()
    query["page"] = str(number)
    return f"?{query.urlencode()}"
