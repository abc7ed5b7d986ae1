"""A program with a token of a person."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from coach.accounts.models import User
from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.services import make_token


class Program:
    """It sends its token, and JSON."""

    def __init__(self, user: User, scopes: Collection[Scope] = tuple(Scope)) -> None:
        ends_at = timezone.now() + timedelta(days=7)
        self.token: ApiToken
        self.token, secret = make_token(user=user, name="Mine", scopes=scopes, ends_at=ends_at)
        self.client = Client(headers={"Authorization": f"Bearer {secret}"})

    def get(self, path: str, **query: Any) -> HttpResponse:
        return self.client.get(f"/api/v1/{path}", query)  # type: ignore[return-value]

    def post(self, path: str, body: dict[str, Any] | None = None, key: str = "") -> HttpResponse:
        headers = {"Idempotency-Key": key} if key else {}
        return self.client.post(  # type: ignore[return-value]
            f"/api/v1/{path}",
            body if body is not None else {},
            content_type="application/json",
            headers=headers,
        )
