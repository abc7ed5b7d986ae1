"""Views of coaches and administrators: set assignments, and see who has practised what."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import RequirePermission
from coach.accounts.models import Cohort
from coach.assignments.coach_pages import (
    CSV_COLUMNS,
    csv_rows,
    set_assignment_page,
    set_assignments_page,
)
from coach.assignments.forms import AssignmentForm, ExtensionForm, values_of
from coach.assignments.models import Assignment
from coach.assignments.selectors import (
    groups_to_set_for,
    people_in,
    progress_in,
    set_assignments_for,
)
from coach.assignments.services import (
    change_assignment,
    extend,
    publish_assignment,
    set_archived,
    write_assignment,
)
from coach.assignments.words import due_words
from coach.lib.files.csv_tables import csv_lines, for_spreadsheets
from coach.lib.web.http import SignedInRequest, attachment


def _no_such_page() -> HttpResponse:
    raise Http404


# Administrators set assignments too: a group may have no coach yet.
setters_only = RequirePermission(lambda user: user.can_review or user.is_staff, _no_such_page)


@require_safe
@setters_only
def assignments(request: SignedInRequest) -> HttpResponse:
    """Show the assignments of the user's groups, or of one of them (`?group=`)."""
    group = request.GET.get("group", "")
    context = {"groups": set_assignments_page(request.user, group=group)}
    return render(request, "assignments/set_assignments.html", context)


@require_safe
@setters_only
def assignment(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Show who has practised what."""
    found = get_object_or_404(set_assignments_for(request.user), pk=assignment_id)
    context = {"page": set_assignment_page(request, request.user, found)}
    return render(request, "assignments/set_assignment.html", context)


@require_http_methods(["GET", "POST"])
@setters_only
def new(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Write an assignment for a group."""
    group = get_object_or_404(groups_to_set_for(request.user), pk=cohort_id, archived_at=None)
    form = AssignmentForm(request.POST or None, cohort=group)
    if request.method == "POST" and form.is_valid():
        made = write_assignment(
            cohort=group,
            brief=form.brief(),
            is_published="publish" in request.POST,
            actor=request.user,
        )
        messages.success(request, _saved_words(made))
        return redirect("review:assignment", made.pk)
    return _form_page(request, form, group)


@require_http_methods(["GET", "POST"])
@setters_only
def edit(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Change what an assignment asks for; a draft can be published with it."""
    found = get_object_or_404(set_assignments_for(request.user), pk=assignment_id)
    form = AssignmentForm(request.POST or None, cohort=found.cohort, initial=values_of(found))
    if request.method == "POST" and form.is_valid():
        change_assignment(assignment=found, brief=form.brief(), actor=request.user)
        if "publish" in request.POST:
            publish_assignment(assignment=found, actor=request.user)
        messages.success(request, _saved_words(found))
        return redirect("review:assignment", found.pk)
    return _form_page(request, form, found.cohort, found)


def _saved_words(assignment: Assignment) -> str:
    if assignment.published_at is None:
        return _("Draft saved. Trainees do not see it yet.")
    return _("Saved. The trainees of this group see it on their pages.")


def _form_page(
    request: SignedInRequest,
    form: AssignmentForm,
    group: Cohort,
    assignment: Assignment | None = None,
) -> HttpResponse:
    context = {"form": form, "group": group, "assignment": assignment}
    status = 422 if form.errors else 200
    return render(request, "assignments/assignment_form.html", context, status=status)


@require_POST
@setters_only
def set_state(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Publish an assignment (`wish=publish`), withdraw it, or set it again."""
    found = get_object_or_404(set_assignments_for(request.user), pk=assignment_id)
    match request.POST.get("wish"):
        case "publish":
            publish_assignment(assignment=found, actor=request.user)
            messages.success(request, _saved_words(found))
        case "withdraw":
            set_archived(assignment=found, is_archived=True, actor=request.user)
            messages.success(request, _("Withdrawn. What trainees handed in stays."))
        case "restore":
            set_archived(assignment=found, is_archived=False, actor=request.user)
            messages.success(request, _("The assignment is open again."))
    return redirect("review:assignment", found.pk)


@require_http_methods(["GET", "POST"])
@setters_only
def extension(request: SignedInRequest, assignment_id: UUID, person_id: int) -> HttpResponse:
    """Give one person another due date, or end their extension."""
    found = get_object_or_404(set_assignments_for(request.user), pk=assignment_id)
    person = get_object_or_404(people_in(found).filter(is_member=True), pk=person_id)
    [progress] = progress_in(found, [person])
    work = progress.work
    if "end" in request.POST:
        extend(assignment=found, person=person, due_at=None, reason="", actor=request.user)
        messages.success(request, _("Extension ended."))
        return redirect("review:assignment", found.pk)
    known = {"due_at": progress.due, "reason": work.extension_reason if work else ""}
    form = ExtensionForm(request.POST or None, cohort=found.cohort, initial=known)
    if request.method == "POST" and form.is_valid():
        try:
            extend(assignment=found, person=person, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("due_at", error)
        else:
            messages.success(request, _("Saved. The person reads the new date and the reason."))
            return redirect("review:assignment", found.pk)
    context = {
        "assignment": found,
        "person": person,
        "form": form,
        "due": due_words(found.due_at, found.cohort),
        "is_extended": work is not None and work.due_at is not None,
    }
    status = 422 if form.errors else 200
    return render(request, "assignments/extension.html", context, status=status)


@require_safe
@setters_only
def table(request: SignedInRequest, assignment_id: UUID) -> HttpResponse:
    """Download who has practised what as a table."""
    found = get_object_or_404(set_assignments_for(request.user), pk=assignment_id)
    lines = for_spreadsheets(csv_lines(CSV_COLUMNS, csv_rows(found)))
    headers = attachment("rostrum-assignment.csv")
    return HttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)
