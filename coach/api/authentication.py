"""Authentication of programs by their token, as middleware.

It runs before views, since the limit on large bodies needs to know the person. Under `/api/` and
`/scim/` a session cookie counts for nothing: another site cannot make a browser use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase

from coach.accounts.models import User
from coach.accounts.second_factor.required import needs_second_factor
from coach.api.models import ApiToken
from coach.api.services import PREFIX, digest_of, note_use

PLACES: Final = ("/api/", "/scim/")

_Answer = Callable[[HttpRequest], HttpResponseBase]


class TokenRequest(HttpRequest):
    """A request of a program with a valid token."""

    user: User
    token: ApiToken


def forget_cookies(get_response: _Answer) -> _Answer:
    """Middleware that drops the cookies of requests to the API; runs before sessions."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(PLACES):
            request.COOKIES = {}
        return get_response(request)

    return answer


def token_user(get_response: _Answer) -> _Answer:
    """Middleware that makes the owner of the token the user; runs after authentication."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith(PLACES):
            token = _token_in(request)
            request.user = token.user if token else AnonymousUser()
            request.token = token  # type: ignore[attr-defined]
            # No cookie could have authenticated it.
            request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # noqa: SLF001
        response = get_response(request)
        for name, value in getattr(request, "rate_headers", {}).items():
            response.headers[name] = value
        return response

    return answer


def _token_in(request: HttpRequest) -> ApiToken | None:
    kind, _space, secret = request.headers.get("Authorization", "").partition(" ")
    if not settings.API or kind.lower() != "bearer" or not secret.startswith(PREFIX):
        return None
    found = ApiToken.objects.filter(digest=digest_of(secret)).select_related("user").first()
    if found is None or not found.is_valid or not _may_use(found.user):
        return None
    note_use(token=found)
    return found


def _may_use(user: User) -> bool:
    """Return whether the person could sign in and use pages now."""
    if not user.is_active or user.is_trial:
        return False
    return not needs_second_factor(user) or is_mfa_enabled(user)
