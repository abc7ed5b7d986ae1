"""Views of a person's own access tokens."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.freshness import ask_password
from coach.api.forms import TokenForm
from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.selectors import tokens_for, valid_tokens_for
from coach.api.services import make_token, revoke_token
from coach.lib.web.http import SignedInRequest, do_not_replay

_ONE_PAGE: Final = 24 * 3600
"""Seconds in which a page that is sent again makes no second token."""


def _check_open() -> None:
    if not settings.API:
        raise Http404


@require_http_methods(["GET", "POST"])
@do_not_replay
@login_required
def tokens(request: SignedInRequest) -> HttpResponse:
    """List one's tokens, and make one, which is shown once."""
    _check_open()
    form = TokenForm(request.POST or None, user=request.user)
    made = ""
    if request.method == "POST" and form.is_valid():
        # A page that was left open, or a stolen cookie, makes no key to the account.
        ask_password(request)
        sent = form.cleaned_data["token"]
        if sent and not cache.add(f"token-form:{request.user.pk}:{sent}", 1, _ONE_PAGE):
            return redirect("api:tokens")
        try:
            _token, made = make_token(
                user=request.user,
                name=form.cleaned_data["name"],
                scopes=form.chosen,
                ends_at=form.ends_at,
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            form = TokenForm(user=request.user)
    context = {
        "form": form,
        "made": made,
        "tokens": [_as_shown(each) for each in tokens_for(request.user)[:50]],
        "address": request.build_absolute_uri(reverse("v1:api-root")),
    }
    response = render(request, "api/tokens.html", context, status=422 if form.errors else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


def _as_shown(token: ApiToken) -> dict[str, object]:
    return {
        "token": token,
        "scopes": [str(Scope(each).label) for each in token.scopes],
    }


@require_POST
@do_not_replay
@login_required
def revoke(request: SignedInRequest, token_id: int) -> HttpResponse:
    """End one's own token."""
    _check_open()
    token = get_object_or_404(valid_tokens_for(request.user), pk=token_id)
    revoke_token(token=token, actor=request.user)
    messages.success(request, _("The token is revoked. Programs can no longer use it."))
    return redirect("api:tokens")
