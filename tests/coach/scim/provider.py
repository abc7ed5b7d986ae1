"""An identity provider with a token of an administrator."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from coach.accounts.models import User
from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.services import make_token

USER = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


class Provider:
    """It sends its token, and JSON."""

    def __init__(self, user: User, scopes: Collection[Scope] = (Scope.SCIM,)) -> None:
        ends_at = timezone.now() + timedelta(days=7)
        self.token: ApiToken
        self.token, self.secret = make_token(
            user=user, name="Entra", scopes=scopes, ends_at=ends_at
        )
        self.client = Client(headers={"Authorization": f"Bearer {self.secret}"})

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        if method == "get":
            return self.client.get(f"/scim/v2/{path}", query)
        return getattr(self.client, method)(
            f"/scim/v2/{path}", body, content_type="application/scim+json"
        )

    def get(self, path: str, **query: Any) -> Any:
        return self.ask("get", path, **query)

    def add(self, user_name: str = "ada@example.org", **said: Any) -> Any:
        return self.ask("post", "Users", {"schemas": [USER], "userName": user_name, **said})

    def add_group(self, name: str, members: Collection[str] = (), **said: Any) -> Any:
        body = {"displayName": name, "members": [{"value": each} for each in members]}
        return self.ask("post", "Groups", {"schemas": [GROUP], **body, **said})

    def patch(self, path: str, *operations: dict[str, Any]) -> Any:
        return self.ask("patch", path, {"schemas": [PATCH], "Operations": list(operations)})
