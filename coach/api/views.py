"""Views of a person's own access tokens."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.api.forms import TokenForm
from coach.api.issuing import check_open, posted_token
from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.selectors import tokens_for, valid_tokens_for
from coach.api.services import revoke_token
from coach.lib.web.http import SignedInRequest, do_not_replay


@require_http_methods(["GET", "POST"])
@do_not_replay
@login_required
def tokens(request: SignedInRequest) -> HttpResponse:
    """List one's tokens, and make one, which is shown once."""
    check_open()
    form = TokenForm(request.POST or None, user=request.user)
    made = posted_token(request, form)
    if made is None:
        return redirect("api:tokens")
    if made:
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
    check_open()
    token = get_object_or_404(valid_tokens_for(request.user), pk=token_id)
    revoke_token(token=token, actor=request.user)
    messages.success(request, _("The token is revoked. Programs can no longer use it."))
    return redirect("api:tokens")
