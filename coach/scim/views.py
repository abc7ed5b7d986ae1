"""Page on which administrators make and revoke tokens for an identity provider."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import administrators_only
from coach.api.issuing import check_open, posted_token
from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.services import revoke_token
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.scim.forms import ScimTokenForm
from coach.scim.selectors import managed_groups_for, managed_people_for, scim_tokens_for


@require_http_methods(["GET", "POST"])
@do_not_replay
@administrators_only
def tokens(request: SignedInRequest) -> HttpResponse:
    """List the tokens of all administrators for SCIM, and make one, which is shown once."""
    check_open()
    form = ScimTokenForm(request.POST or None, user=request.user)
    made = posted_token(request, form)
    if made is None:
        return redirect("scim:tokens")
    if made:
        form = ScimTokenForm(user=request.user)
    context = {
        "form": form,
        "made": made,
        "tokens": [_as_shown(each) for each in scim_tokens_for(request.user)],
        "address": request.build_absolute_uri(reverse("scim-v2:root")).rstrip("/"),
        "people": managed_people_for(request.user).count(),
        "groups": managed_groups_for(request.user).count(),
    }
    response = render(request, "scim/tokens.html", context, status=422 if form.errors else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


def _as_shown(token: ApiToken) -> dict[str, object]:
    options = [Scope(each) for each in token.scopes if each != Scope.SCIM]
    return {"token": token, "options": [str(each.label) for each in options]}


@require_POST
@do_not_replay
@administrators_only
def revoke(request: SignedInRequest, token_id: int) -> HttpResponse:
    """End a token of any administrator."""
    check_open()
    token = get_object_or_404(scim_tokens_for(request.user), pk=token_id)
    revoke_token(token=token, actor=request.user)
    messages.success(request, _("The token is revoked. Programs can no longer use it."))
    return redirect("scim:tokens")
