"""Permission check of each operation: a valid token with the scope, below its limit."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security.http import HttpAuthBase

from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.v1.limits import count_request
from coach.api.v1.problems import Refused


def check_token(request: HttpRequest, scope: Scope | None, *, counts: bool = True) -> ApiToken:
    """Return the token of a request. Raises Refused: no token, over the limit, or no such scope."""
    if not settings.API:
        raise Refused(404, "not_found", _("This site has no API."))
    token: ApiToken | None = getattr(request, "token", None)
    if token is None:
        raise Refused(
            401,
            "invalid_token",
            _("Send a valid access token in the header Authorization."),
            headers={"WWW-Authenticate": "Bearer"},
        )
    if counts:
        _check_limit(request, token)
    if scope is not None and scope not in token.scopes:
        raise Refused(
            403,
            "missing_scope",
            _("This token lacks the scope %(scope)s.") % {"scope": scope.value},
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
        )
    return token


def _check_limit(request: HttpRequest, token: ApiToken) -> None:
    usage = count_request(token)
    # The middleware adds them to the response, whatever it is.
    request.rate_headers = usage.headers  # type: ignore[attr-defined]
    if usage.is_over:
        raise Refused(
            429,
            "too_many_requests",
            _("You sent many requests within a minute. Wait a moment."),
            headers={"Retry-After": str(usage.reset)},
        )


class AccessToken(HttpAuthBase):
    """The check of an operation, and its place in the OpenAPI document.

    The middleware has found the token before (`coach.api.authentication`).
    """

    openapi_scheme = "bearer"

    def __init__(self, scope: Scope | None = None) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Any:
        """Return the token of the request. Raises Refused."""
        return check_token(request, self.scope)


def check_role(*, may: bool) -> None:
    """Raise Refused unless the person has the role."""
    if not may:
        raise Refused(403, "missing_role", _("Your account does not have the role for this."))
