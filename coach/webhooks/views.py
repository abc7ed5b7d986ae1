"""Views of webhooks, for administrators."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import administrators_only
from coach.accounts.freshness import ask_password
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.webhooks.forms import WebhookForm
from coach.webhooks.keys import is_on
from coach.webhooks.models import Event, WebhookEndpoint
from coach.webhooks.selectors import endpoints_for, messages_for
from coach.webhooks.services import add_endpoint, delete_endpoint, switch_endpoint

_MOST_LISTED = 50


def _check_open() -> None:
    if not is_on():
        raise Http404


@require_http_methods(["GET", "POST"])
@do_not_replay
@administrators_only
def webhooks(request: SignedInRequest) -> HttpResponse:
    """List the webhooks with the log of their messages, and add one; its secret is shown once."""
    _check_open()
    form, secret = WebhookForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        ask_password(request)
        try:
            url = form.cleaned_data["url"]
            secret = add_endpoint(url=url, events=form.chosen, actor=request.user)
        except ValidationError as error:
            form.add_error("url", error)
        else:
            form = WebhookForm()
    context = {
        "form": form,
        "secret": secret,
        "webhooks": [_as_shown(each) for each in endpoints_for(request.user)],
        "log": messages_for(request.user)[:_MOST_LISTED],
    }
    response = render(
        request, "webhooks/webhooks.html", context, status=422 if form.errors else 200
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def _as_shown(endpoint: WebhookEndpoint) -> dict[str, object]:
    return {
        "endpoint": endpoint,
        "events": [str(Event(each).label) for each in endpoint.events],
    }


@require_POST
@do_not_replay
@administrators_only
def change(request: SignedInRequest, endpoint_id: UUID) -> HttpResponse:
    """Switch a webhook on or off, or delete it."""
    _check_open()
    endpoint = get_object_or_404(endpoints_for(request.user), pk=endpoint_id)
    match request.POST.get("action"):
        case "on":
            # It sends again from now on: as sensitive as a new one.
            ask_password(request)
            switch_endpoint(endpoint=endpoint, is_active=True, actor=request.user)
        case "off":
            switch_endpoint(endpoint=endpoint, is_active=False, actor=request.user)
        case "delete":
            delete_endpoint(endpoint=endpoint, actor=request.user)
            messages.success(request, _("The webhook is deleted."))
        case _:
            raise Http404
    return redirect("webhooks:webhooks")
