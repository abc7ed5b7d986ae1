"""Errors of the API, as problem details (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.http import HttpResponse
from ninja import Schema
from pydantic import Field

MEDIA_TYPE: Final = "application/problem+json"

S = TypeVar("S", bound=Schema)


class FieldError(Schema):
    """An error in one field of a request."""

    field: str = Field(description="Its place in the request, for example `body.title`.")
    message: str


class Problem(Schema):
    """Why a request was refused."""

    type: str = Field("about:blank", description="Always `about:blank`: `code` tells them apart.")
    title: str = Field(description="The meaning of the status.")
    status: int
    code: str = Field(description="A stable name of the error, for programs.")
    detail: str = Field(description="A sentence for people, in the language of the token's owner.")
    errors: list[FieldError] = []


class Refused(Exception):
    """An error with its status, its code and a sentence."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.status, self.code, self.detail = status, code, detail
        self.errors, self.headers = list(errors), dict(headers or {})


def problem_response(refused: Refused) -> HttpResponse:
    """Return the response to a refused request."""
    body: dict[str, Any] = Problem(
        type="about:blank",
        title=HTTPStatus(refused.status).phrase,
        status=refused.status,
        code=refused.code,
        detail=refused.detail,
        errors=refused.errors,
    ).model_dump()
    return HttpResponse(
        json.dumps(body, ensure_ascii=False),
        status=refused.status,
        content_type=MEDIA_TYPE,
        headers=refused.headers,
    )


def answers(
    model: Any, *also: int, status: int = 200, without: Sequence[int] = ()
) -> dict[int, Any]:
    """Return the possible responses of an operation: its result, and problems by status."""
    problems = {401, 403, 422, 429, 503, *also} - set(without)
    return {status: model, **dict.fromkeys(sorted(problems), Problem)}
