"""Views of trainees: their assignments, and handing a take in."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.assignments.calendar_file import calendar_file
from coach.assignments.pages import assignment_page, assignments_page, recorder_url
from coach.assignments.selectors import assignments_for, partners_for
from coach.assignments.services import (
    agree_to_partner,
    ask_partner,
    begin_work,
    end_partner,
    hand_in,
    take_back,
)
from coach.lib.web.http import SignedInRequest, attachment, uuid_of
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_talks_for


@require_safe
@trainees_only
def assignments(request: SignedInRequest) -> HttpResponse:
    """Show the trainee's assignments."""
    context = {"page": assignments_page(request.user)}
    return render(request, "assignments/assignments.html", context)


@require_safe
@trainees_only
def assignment(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Show one assignment with the takes for it."""
    found = get_object_or_404(assignments_for(request.user), pk=assignment_id)
    context = {"page": assignment_page(request.user, found)}
    return render(request, "assignments/assignment.html", context)


@require_safe
@trainees_only
def calendar(request: SignedInRequest) -> HttpResponse:
    """Download the due dates for a calendar."""
    content = calendar_file(request.user, timezone.now())
    headers = attachment("rostrum-assignments.ics")
    return HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)


@require_POST
@trainees_only
def begin(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Go to the recorder or the upload with the plan filled in, or use an earlier talk."""
    found = get_object_or_404(assignments_for(request.user), pk=assignment_id)
    named = uuid_of(request.POST.get("talk", ""))
    talk = get_object_or_404(own_talks_for(request.user), pk=named) if named else None
    try:
        work = begin_work(assignment=found, person=request.user, talk=talk)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("assignments:assignment", found.pk)
    if talk is not None:
        messages.success(request, _("The takes of this talk count for the assignment now."))
        return redirect("assignments:assignment", found.pk)
    page = "feedback:new" if request.POST.get("way") == "upload" else "feedback:record"
    return redirect(recorder_url(work, page=page))


@require_POST
@trainees_only
def send(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Hand one take in."""
    found = get_object_or_404(assignments_for(request.user), pk=assignment_id)
    named = uuid_of(request.POST.get("take", ""))
    if named is None:
        raise Http404
    try:
        hand_in(assignment=found, person=request.user, take_id=named)
    except Rehearsal.DoesNotExist as missing:
        raise Http404 from missing
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Handed in. The coaches of your group can open this take now."))
    return redirect("assignments:assignment", found.pk)


@require_POST
@trainees_only
def withdraw(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Take back what was handed in."""
    found = get_object_or_404(assignments_for(request.user), pk=assignment_id)
    try:
        take_back(assignment=found, person=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(
            request, _("Withdrawn. This take is private again; you can hand in another.")
        )
    return redirect("assignments:assignment", found.pk)


@require_POST
@trainees_only
def ask(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Ask a person of the group to hand in together."""
    found = get_object_or_404(assignments_for(request.user), pk=assignment_id)
    address = request.POST.get("address", "").strip()[:254]
    try:
        ask_partner(assignment=found, person=request.user, address=address)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("Asked. The person sees your question on this page."))
    return redirect("assignments:assignment", found.pk)


@require_POST
@trainees_only
def partner(request: SignedInRequest, partner_id: int) -> HttpResponse:
    """Agree to hand in together (`wish=agree`), or end it."""
    found = get_object_or_404(partners_for(request.user), pk=partner_id)
    is_reader = found.person_id == request.user.pk
    agrees = is_reader and request.POST.get("wish") == "agree"
    try:
        if agrees:
            agree_to_partner(partner=found)
        else:
            end_partner(partner=found, actor=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        ended = _("You hand in on your own.") if is_reader else _("Removed.")
        messages.success(request, _("You agreed.") if agrees else ended)
    return redirect("assignments:assignment", found.work.assignment_id)
