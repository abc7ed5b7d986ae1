"""Views for inviting a list of people: the list, its check, sending and undoing."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import people_managers_only
from coach.accounts.freshness import password_again
from coach.lib.mail import is_mail_printed
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.portal.people.checking import check_list
from coach.portal.people.forms import InviteForm
from coach.portal.people.invite_page import checked_page
from coach.portal.people.selectors import lists_for, recent_lists_for
from coach.portal.people.services import invite_list, undo_list


@require_http_methods(["GET", "POST"])
@people_managers_only
@do_not_replay
def invite(request: SignedInRequest) -> HttpResponse:
    """Show the form for a list; once it is filled in, show what each line would do."""
    start = {"language": request.user.language, "cohort": request.GET.get("group", "")}
    form = InviteForm(request.POST or None, request.FILES or None, initial=start, user=request.user)
    # "Change the list" leads back to the same text.
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        lines = check_list(form.lines(), defaults=form.defaults(), actor=request.user)
        context = {"page": checked_page(form, lines), "without_email": _without_email()}
        return render(request, "portal/people/check.html", context)
    context = {"form": form, "lists": recent_lists_for(request.user)}
    status = 422 if form.errors else 200
    return render(request, "portal/people/invite.html", context, status=status)


@require_POST
@people_managers_only
@password_again
@do_not_replay
def send(request: SignedInRequest) -> HttpResponse:
    """Send the invitations of a list that was checked."""
    form = InviteForm(request.POST, user=request.user)
    if not form.is_valid():
        context = {"form": form, "lists": recent_lists_for(request.user)}
        return render(request, "portal/people/invite.html", context, status=422)
    made = invite_list(lines=form.lines(), defaults=form.defaults(), actor=request.user)
    if made is None:
        messages.warning(request, _("No line of this list was left to invite."))
        return redirect("portal:invite")
    count = made.invitations.count()
    words = ngettext(
        "%(n)s account was made. Its invitation is on its way.",
        "%(n)s accounts were made. Their invitations are on their way.",
        count,
    )
    messages.success(request, words % {"n": count})
    if words := _without_email():
        messages.warning(request, words)
    return redirect("portal:invite")


def _without_email() -> str:
    """Return where the links are on a site without email; empty if it sends email."""
    if not is_mail_printed():
        return ""
    return _(
        "This site does not send email yet. You find the links to choose a password in the log of "
        "the mail worker."
    )


@require_POST
@people_managers_only
@password_again
@do_not_replay
def undo(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Withdraw the invitations of a list that nobody has used."""
    made = get_object_or_404(lists_for(request.user), pk=list_id, undone_at=None)
    withdrawn, left = undo_list(made=made, actor=request.user)
    gone = ngettext(
        "%(n)s unused invitation was withdrawn.",
        "%(n)s unused invitations were withdrawn.",
        withdrawn,
    )
    stay = ngettext(
        "%(n)s person has an account and keeps it.",
        "%(n)s people have an account and keep it.",
        left,
    )
    messages.success(
        request, " ".join([gone % {"n": withdrawn}, stay % {"n": left} if left else ""])
    )
    return redirect("portal:invite")
