"""Requests that a program may repeat: the same `Idempotency-Key` gets the same answer for a day."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.db import transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from ninja import Schema
from ninja.params.functions import Header

from coach.api.authentication import TokenRequest
from coach.api.models import RepeatedRequest
from coach.api.v1.problems import Refused

KEY: str = Header(
    "",
    alias="Idempotency-Key",
    max_length=255,
    pattern=r"^[!-~]*$",
    description="A text of your choice, one for each act: its repetition changes nothing.",
)

V = TypeVar("V", bound=Callable[..., Any])


def repeatable(*, status: int) -> Callable[[V], V]:
    """Decorate an operation that returns a schema, so that its repetition does nothing.

    A request with the same key waits for the first one. Refusals are not stored.
    """

    def decorate(view: V) -> V:
        @wraps(view)
        def answer(request: TokenRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            key = kwargs.get("idempotency_key")
            with transaction.atomic():
                if not key:
                    return _json(_body(view(request, *args, **kwargs)), status)
                return _once(request, key, lambda: view(request, *args, **kwargs), status)

        # Its annotations are names of the module of `view`, not of this one.
        answer.__signature__ = inspect.signature(view, eval_str=True)  # type: ignore[attr-defined]
        return answer  # type: ignore[return-value]

    return decorate


def _once(request: TokenRequest, key: str, act: Callable[[], Schema], status: int) -> HttpResponse:
    said = f"{request.method} {request.path}\n".encode() + request.body
    digest = hashlib.sha256(said).hexdigest()
    row, is_new = RepeatedRequest.objects.get_or_create(
        user=request.user, key=key, defaults={"digest": digest}
    )
    if is_new:
        row.status, row.answer = status, _body(act())
        row.save(update_fields=["status", "answer"])
    elif row.digest != digest:
        sentence = _("This Idempotency-Key belongs to another request.")
        raise Refused(409, "key_used_before", sentence)
    response = _json(row.answer, row.status)
    if not is_new:
        response.headers["Idempotency-Replayed"] = "true"
    return response


def _body(result: Schema) -> str:
    return result.model_dump_json()


def _json(body: str, status: int) -> HttpResponse:
    return HttpResponse(body, status=status, content_type="application/json")
