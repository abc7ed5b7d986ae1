"""Roles that need a second factor on this site (`ROSTRUM_SECOND_FACTOR`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django_htmx.http import HttpResponseClientRedirect

from coach.accounts.models import Role, User

_Answer = Callable[[HttpRequest], HttpResponseBase]

_OPEN = ("account_", "mfa_", "oidc_", "portal:language", "portal:manifest", "portal:service_worker")
"""Names, or beginnings of names, of views that are open without the required second factor."""


def needs_second_factor(user: User) -> bool:
    """Return whether the site requires a second factor of this person."""
    roles = {*user.roles, Role.ADMINISTRATOR} if user.can_manage_people else {*user.roles}
    return not settings.SECOND_FACTOR_ROLES.isdisjoint(roles)


class SecondFactorMiddleware:
    """Middleware that leads people without a required second factor to its page."""

    def __init__(self, get_response: _Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the page."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Return a redirect unless the page is open or a second factor is set up."""
        user, match = request.user, request.resolver_match
        if not isinstance(user, User) or not needs_second_factor(user):
            return None
        if match is not None and match.view_name.startswith(_OPEN):
            return None
        if is_mfa_enabled(user):
            return None
        response = redirect("mfa_index")
        if request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(response.url)
        return response
