"""Views for asking for an account, confirming an address, and deciding about requests."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import administrators_only
from coach.accounts.invitations import make_link
from coach.accounts.models import Language
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.portal.joining.forms import DecisionForm, JoinForm
from coach.portal.joining.selectors import request_of, waiting_requests
from coach.portal.joining.services import (
    approve_request,
    ask_for_account,
    decline_request,
    make_account,
    may_ask,
)


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Ask for an account, or read that accounts are by invitation."""
    if not {"request", "domain"} & settings.ACCESS:
        return render(request, "account/signup_closed.html")
    form = JoinForm(request.POST or None)
    if form.is_valid() and _is_asked(request, form):
        return render(request, "portal/joining/asked.html", {"address": form.cleaned_data["email"]})
    status = 422 if form.errors else 200
    return render(request, "portal/joining/join.html", {"form": form}, status=status)


def _is_asked(request: HttpRequest, form: JoinForm) -> bool:
    said = form.cleaned_data
    if not may_ask(request, said["email"]):
        form.add_error(None, _("There were several requests already. Try again tomorrow."))
        return False
    try:
        ask_for_account(
            address=said["email"],
            name=said["name"],
            reason=said.get("reason", ""),
            language=get_language() or Language.ENGLISH,
            site=_site(request),
        )
    except ValidationError as error:
        form.add_error(None, error)
        return False
    return True


@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account of a confirmed address, and continue to choosing a password.

    Only a press of the button does: programs that check emails open every link.
    """
    asked = request_of(token)
    if asked is None:
        return render(request, "portal/joining/link_over.html", status=404)
    if request.method == "POST":
        try:
            person = make_account(asked=asked)
        except ValidationError:
            return render(request, "portal/joining/code_over.html", status=404)
        if person.has_usable_password():
            return redirect("account_login")
        return redirect(make_link(person=person, site=_site(request), actor=None))
    return render(request, "portal/joining/confirm.html", {"asked": asked})


@require_safe
@administrators_only
def requests(request: SignedInRequest) -> HttpResponse:
    """Show the requests that wait for a decision."""
    context = {"requests": waiting_requests(), "form": DecisionForm()}
    return render(request, "portal/joining/requests.html", context)


@require_POST
@administrators_only
def decide(request: SignedInRequest, request_id: UUID) -> HttpResponse:
    """Approve a request into a group, or decline it."""
    asked = get_object_or_404(waiting_requests(), pk=request_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_error(form))
        return redirect("portal:requests")
    if form.cleaned_data["wish"] == "decline":
        decline_request(asked=asked, actor=request.user, site=_site(request))
        messages.success(request, _("Declined. The request was deleted, and its author told."))
        return redirect("portal:requests")
    person = approve_request(
        asked=asked,
        cohort=form.cleaned_data["cohort"],
        actor=request.user,
        site=_site(request),
    )
    messages.success(request, _("%(name)s has an account now and gets a link.") % {"name": person})
    return redirect("portal:requests")


def _site(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
