"""People who arrive from the provider: known, new, invited, or confirming who they are."""

from __future__ import annotations

import time
from typing import Any, Final

from allauth.account.internal.flows.login import record_authentication
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from coach.accounts.freshness import AT_PROVIDER, is_fresh
from coach.accounts.invitations import LinkTokens
from coach.accounts.models import User
from coach.accounts.oidc.provider import LEEWAY
from coach.accounts.oidc.services import link_account, make_account

CONNECT: Final = "connect"
CONFIRM: Final = "confirm"


def answer_of(request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse | None:
    """Return the page after a signed-in person went to the provider; None for a sign-in."""
    said = sociallogin.state.get("data") or {}
    if said.get("wish") == CONNECT:
        return _connect(request, sociallogin)
    if said.get("wish") == CONFIRM:
        return _confirm(request, sociallogin)
    return None


@transaction.atomic
def person_of(request: HttpRequest, sociallogin: SocialLogin) -> User:
    """Return the person who signs in, with a new account if the site allows it.

    Raises ImmediateHttpResponse with a page that says what to do instead.
    """
    if not sociallogin.is_existing:
        person = _invited(sociallogin.state.get("data") or {}) or _new(request, sociallogin)
        link_account(person=person, sociallogin=sociallogin)
    known: User = sociallogin.user
    return known


def _new(request: HttpRequest, sociallogin: SocialLogin) -> User:
    verified = [each.email.lower() for each in sociallogin.email_addresses if each.verified]
    if not verified:
        raise ImmediateHttpResponse(_refusal(request, "unverified"))
    if User.objects.filter(email=verified[0]).exists():
        raise ImmediateHttpResponse(_refusal(request, "known", address=verified[0]))
    if not settings.OIDC_NEW_ACCOUNTS:
        raise ImmediateHttpResponse(_refusal(request, "closed", address=verified[0]))
    return make_account(address=verified[0], name=_name(sociallogin.claims))


def _invited(said: dict[str, Any]) -> User | None:
    """Return the person who opened their invitation in this session, if it is still valid."""
    person = User.objects.filter(pk=said.get("invited", 0), is_active=True).first()
    if person is None or person.has_usable_password():
        return None
    return person if LinkTokens().check_token(person, said.get("key")) else None


def _name(claims: dict[str, Any]) -> str:
    parts = [claims.get("name")] if claims.get("name") else []
    parts = parts or [claims.get("given_name"), claims.get("family_name")]
    name = " ".join(str(each) for each in parts if each)
    return (name or str(claims.get("email", "")).partition("@")[0])[:120]


def _refusal(request: HttpRequest, why: str, address: str = "") -> HttpResponse:
    context = {"why": why, "address": address, "provider": settings.OIDC_NAME}
    return render(request, "oidc/refused.html", context, status=403)


def _connect(request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse:
    if not isinstance(request.user, User) or not is_fresh(request):
        raise PermissionDenied
    names = {"provider": settings.OIDC_NAME}
    if not sociallogin.is_existing:
        link_account(person=request.user, sociallogin=sociallogin, is_told=True)
        messages.success(request, _("Connected. You can sign in with %(provider)s now.") % names)
    elif sociallogin.user != request.user:
        taken = _("This account of %(provider)s belongs to another account here.")
        messages.error(request, taken % names)
    return redirect("mfa_index")


def _confirm(request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse:
    """Record that the person signed in at the provider once more, and return to the act.

    A provider that does not say when they signed in, or that says it was earlier, confirms nothing.
    """
    person, state = request.user, sociallogin.state
    if not isinstance(person, User) or not sociallogin.is_existing or sociallogin.user != person:
        return render(request, "oidc/confirm.html", _why("other", state), status=403)
    signed_in_at = sociallogin.claims.get("auth_time")
    if not isinstance(signed_in_at, int | float) or not (
        state["asked_at"] - LEEWAY <= signed_in_at <= time.time() + LEEWAY
    ):
        return render(request, "oidc/confirm.html", _why("earlier", state), status=403)
    record_authentication(request, person, method=AT_PROVIDER, reauthenticated=True)
    return redirect(state["next"])


def _why(problem: str, state: dict[str, Any]) -> dict[str, str]:
    onwards = state["data"]["onwards"]
    return {"problem": problem, "provider": settings.OIDC_NAME, "onwards": onwards}
