"""allauth adapter of sign-ins at the provider: one app from the settings, and our decisions."""

from __future__ import annotations

import logging
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.accounts.oidc.arrivals import answer_of, person_of
from coach.accounts.oidc.services import follow_groups
from coach.audit.services import record_act

log = logging.getLogger(__name__)

OIDC = "openid_connect"
_LOGGED = 120
"""Characters of a reason that the log keeps (rule of thumb)."""


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no stubs
    """Adapter that knows the provider of the settings only, and links nobody by email address."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the provider of the settings, if there is one; rows of the database are none."""
        issuer = settings.OIDC_ISSUER
        if not issuer or provider not in {None, OIDC, issuer}:
            return []
        return [
            SocialApp(
                provider=OIDC,
                # The issuer, so that a person of another issuer is another person.
                provider_id=issuer,
                name=settings.OIDC_NAME,
                client_id=settings.OIDC_CLIENT_ID,
                secret=settings.OIDC_CLIENT_SECRET,
                settings={
                    "server_url": f"{issuer.rstrip('/')}/.well-known/openid-configuration",
                    "oauth_pkce_enabled": True,
                    "uid_field": settings.OIDC_ID_CLAIM,
                    "scope": settings.OIDC_SCOPES,
                },
            )
        ]

    def can_authenticate_by_email(self, login: SocialLogin, email: str) -> bool:
        """Return False: an address alone opens no account."""
        return False

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """Return the unsaved user as it is; `coach.accounts.oidc.arrivals` makes accounts."""
        return sociallogin.user  # type: ignore[no-any-return]

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Check that this answers our question, and decide what it leads to.

        Raises PermissionDenied, or ImmediateHttpResponse with a page.
        """
        state, claims = sociallogin.state, sociallogin.claims
        if not constant_time_compare(str(claims["nonce"]), str(state.get("nonce"))):
            raise PermissionDenied
        # A provider that states who it is in its answer (RFC 9207) must be ours.
        if request.GET.get("iss", settings.OIDC_ISSUER) != settings.OIDC_ISSUER:
            raise PermissionDenied
        if answer := answer_of(request, sociallogin):
            raise ImmediateHttpResponse(answer)
        person = person_of(request, sociallogin)
        if person.is_active:
            follow_groups(person=person, claims=claims)

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: str | None = None, **more: Any
    ) -> None:
        """Log a failed attempt; lead people who cancelled back. Raises ImmediateHttpResponse."""
        if error == AuthError.CANCELLED:
            messages.info(request, _("You did not sign in there. Nothing was changed."))
            raise ImmediateHttpResponse(redirect("account_login"))
        # The provider's whole answer may contain personal data.
        reason = str(more.get("exception") or error)[:_LOGGED]
        log.warning("a sign-in at the provider failed: %r", reason)
        record_act(action="accounts.sign_in_failed", target=None)
