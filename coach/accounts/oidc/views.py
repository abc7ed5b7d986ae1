"""Views for signing in at the provider, connecting and disconnecting it, and confirming there."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.freshness import is_fresh, password_again
from coach.accounts.oidc.arrivals import CONFIRM, CONNECT
from coach.accounts.oidc.provider import SiteOAuth2Adapter, SiteProvider
from coach.accounts.oidc.selectors import confirms_at_provider
from coach.accounts.oidc.services import unlink_accounts
from coach.accounts.passwords import PasswordLinkForm
from coach.lib.web.http import SignedInRequest

_FRESH = {"prompt": "login", "max_age": "0"}
"""Asks the provider to sign the person in again, and to say when it did."""


@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Go to the provider to sign in; only a press of the button does."""
    if request.method != "POST":
        return redirect("account_login")
    said = _invitation(request)
    return _leave(request, AuthProcess.LOGIN, get_next_redirect_url(request), said)


def _invitation(request: HttpRequest) -> dict[str, Any]:
    """Return the person and the key of the invitation that is open in this session, if any."""
    key = request.session.get("_password_reset_key", "")
    form = PasswordLinkForm(data={"uidb36": request.POST.get("invited", ""), "key": key})
    if not request.POST.get("invited") or not form.is_valid():
        return {}
    return {"invited": form.reset_user.pk, "key": key}


@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """Receive the provider's answer, which allauth checks with `SiteOAuth2Adapter`."""
    provider = _provider(request)
    view = OAuth2CallbackView.adapter_view(SiteOAuth2Adapter(request, settings.OIDC_ISSUER))
    try:
        answer: HttpResponse = view(request)
    except OAuth2Error as error:
        answer = render_authentication_error(request, provider, exception=error)
    return answer


@require_POST
@login_required
@password_again
def connect(request: SignedInRequest) -> HttpResponse:
    """Go to the provider to connect an account there to one's own."""
    return _leave(request, AuthProcess.REDIRECT, reverse("mfa_index"), {"wish": CONNECT})


@require_POST
@login_required
@password_again
def disconnect(request: SignedInRequest) -> HttpResponse:
    """Disconnect the accounts at the provider from one's own."""
    try:
        unlink_accounts(person=request.user)
        messages.success(request, _("Disconnected. You sign in with your password now."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("mfa_index")


@require_http_methods(["GET", "POST"])
@login_required
def confirm(request: SignedInRequest) -> HttpResponse:
    """Ask a person without a password to sign in at the provider again."""
    if not confirms_at_provider(request.user):
        raise Http404
    onwards = get_next_redirect_url(request) or reverse("portal:home")
    if request.method == "POST":
        said = {"wish": CONFIRM, "onwards": onwards}
        back = f"{reverse('oidc_confirmed')}?{urlencode({'next': onwards})}"
        return _leave(request, AuthProcess.REDIRECT, back, said, auth_params=_FRESH)
    context = {"provider": settings.OIDC_NAME, "onwards": onwards}
    return render(request, "oidc/confirm.html", context)


@require_safe
@login_required
def confirmed(request: SignedInRequest) -> HttpResponse:
    """Go on with the act for which the person signed in at the provider again."""
    if not is_fresh(request):
        return redirect("oidc_confirm")
    return resume_request(request) or redirect("portal:home")


def _provider(request: HttpRequest) -> SiteProvider:
    if not settings.OIDC_ISSUER:
        raise Http404
    provider: SiteProvider = get_adapter().get_provider(request, settings.OIDC_ISSUER)
    return provider


def _leave(
    request: HttpRequest, process: str, onwards: str | None, said: dict[str, Any], **more: Any
) -> HttpResponse:
    """Return a page that leads to the provider.

    A redirect would answer a form, and the site's policy lets forms lead to this site only.
    """
    provider = _provider(request)
    try:
        answer = provider.redirect(request, process, onwards, said, **more)
    except OAuth2Error as error:
        answer = render_authentication_error(request, provider, exception=error)
    if not isinstance(answer, HttpResponseRedirect):
        return answer
    context = {"provider": settings.OIDC_NAME, "address": answer.url}
    return render(request, "oidc/continue.html", context)
