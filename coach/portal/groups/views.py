"""Views for groups in the administration."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import people_managers_only
from coach.accounts.freshness import password_again
from coach.accounts.models import Cohort, Role
from coach.accounts.people import save_cohort, set_archived
from coach.lib.web.http import SignedInRequest
from coach.lti.asking import NoAnswer
from coach.lti.keys import is_on
from coach.lti.members import fetch_members
from coach.lti.selectors import courses_with_members
from coach.portal.departments.selectors import administered_groups_for, departments_for
from coach.portal.groups.forms import GroupCodeForm, GroupSettingsForm, RollOverForm, TermForm
from coach.portal.groups.page import group_page, groups_page
from coach.portal.groups.services import end_code, make_code, roll_over, save_group, unsaved_copy
from coach.portal.models import GroupCode
from coach.portal.people.checking import check_list
from coach.portal.people.forms import InviteForm
from coach.portal.people.invite_page import checked_page


@require_safe
@people_managers_only
def groups(request: SignedInRequest) -> HttpResponse:
    """Show the groups by name."""
    rows, paging = groups_page(request, request.user)
    return render(request, "portal/groups/groups.html", {"rows": rows, "paging": paging})


@require_http_methods(["GET", "POST"])
@people_managers_only
@password_again
def add(request: SignedInRequest) -> HttpResponse:
    """Add a group, in the department of the page that led here (`department`)."""
    key = request.GET.get("department", "")
    wanted = departments_for(request.user).filter(pk=int(key)).first() if key.isdecimal() else None
    return _settings(request, Cohort(department=wanted))


@require_http_methods(["GET", "POST"])
@people_managers_only
@password_again
def change(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Change name, department, policy and term of a group."""
    return _settings(request, _group(request, cohort_id))


def _settings(request: SignedInRequest, found: Cohort) -> HttpResponse:
    is_new = found.pk is None
    form = GroupSettingsForm(request.POST or None, instance=found, user=request.user)
    if request.method == "POST" and form.is_valid():
        save_group(
            cohort=form.instance,
            department=form.cleaned_data.get("department"),
            moves="department" in form.fields,
            actor=request.user,
        )
        words = _("The group is ready. Invite its people.") if is_new else _("Saved.")
        messages.success(request, words)
        return redirect("portal:group", cohort_id=form.instance.pk)
    # A form with errors has changed `found`: the heading shows the group as it is stored.
    context = {"form": form, "group": None if is_new else _group(request, found.pk)}
    return render(
        request, "portal/groups/settings.html", context, status=422 if form.errors else 200
    )


@require_http_methods(["GET", "POST"])
@people_managers_only
def group(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Show one group with its codes, and make another code."""
    found = _group(request, cohort_id)
    form = GroupCodeForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        said = form.cleaned_data
        make_code(
            cohort=found,
            ends_at=said["ends_on"],
            most_uses=said["most_uses"],
            actor=request.user,
        )
        messages.success(request, _("The code works now. Show it in class."))
        return redirect("portal:group", cohort_id=found.pk)
    context = {"page": group_page(request, found, form=form)}
    status = 422 if form is not None else 200
    return render(request, "portal/groups/group.html", context, status=status)


@require_POST
@people_managers_only
def end(request: SignedInRequest, code_id: UUID) -> HttpResponse:
    """End a code at once."""
    codes = GroupCode.objects.filter(cohort__in=administered_groups_for(request.user))
    code = get_object_or_404(codes.select_related("cohort"), pk=code_id)
    end_code(code=code, actor=request.user)
    messages.success(request, _("The code has ended. People who joined with it stay."))
    return redirect("portal:group", cohort_id=code.cohort_id)


@require_POST
@people_managers_only
def course_members(request: SignedInRequest, cohort_id: int, course_id: UUID) -> HttpResponse:
    """Fetch the members of a course, and show what inviting them to the group would do."""
    found = _group(request, cohort_id)
    course = get_object_or_404(courses_with_members(found), pk=course_id)
    if not is_on() or found.archived_at is not None:
        raise Http404
    try:
        fetched = fetch_members(course=course, actor=request.user)
    except NoAnswer as error:
        why = f"{error.outcome.label}."
        messages.error(request, " ".join([_("We could not fetch the members."), why]))
        return redirect("portal:group", cohort_id=found.pk)
    if fetched.left_out:
        words = ngettext(
            "%(n)s member is left out: no email address, no longer active, or no role here.",
            "%(n)s members are left out: no email address, no longer active, or no role here.",
            fetched.left_out,
        )
        messages.info(request, words % {"n": fetched.left_out})
    said = {"text": fetched.text, "cohort": found.pk, "role": Role.TRAINEE}
    form = InviteForm({**said, "language": request.user.language}, user=request.user)
    if not fetched.people or not form.is_valid():
        problem = _("The course has no members to invite, or more than 500.")
        messages.error(request, problem)
        return redirect("portal:group", cohort_id=found.pk)
    lines = check_list(form.lines(), defaults=form.defaults(), actor=request.user)
    return render(request, "portal/people/check.html", {"page": checked_page(form, lines)})


@require_POST
@people_managers_only
def term(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Set the first and last day of a group's term."""
    found = _group(request, cohort_id)
    form = TermForm(request.POST, instance=found, prefix="term")
    if not form.is_valid():
        context = {"page": group_page(request, found, term=form)}
        return render(request, "portal/groups/group.html", context, status=422)
    save_cohort(cohort=form.instance, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("portal:group", cohort_id=found.pk)


@require_POST
@people_managers_only
def archive(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Archive a group, or reopen it."""
    found = _group(request, cohort_id)
    is_archived = request.POST.get("wish") != "reopen"
    set_archived(cohort=found, is_archived=is_archived, actor=request.user)
    messages.success(
        request,
        _("Archived. Members and takes stay.") if is_archived else _("The group is open again."),
    )
    return redirect("portal:group", cohort_id=found.pk)


@require_POST
@people_managers_only
@password_again
def next_term(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Make the group of the next term, with the same coaches."""
    found = _group(request, cohort_id)
    form = RollOverForm(request.POST, instance=unsaved_copy(found), prefix="next")
    if not form.is_valid():
        context = {"page": group_page(request, found, roll_over=form)}
        return render(request, "portal/groups/group.html", context, status=422)
    left_out = roll_over(
        cohort=found,
        copy=form.instance,
        archives=form.cleaned_data["archive"],
        actor=request.user,
    )
    messages.success(request, _("The group for the next term is ready. It has no trainees yet."))
    if left_out:
        words = _(
            "Not added: %(names)s. An administrator who coaches needs a reason, and a closed "
            "account cannot coach."
        )
        messages.warning(request, words % {"names": ", ".join(map(str, left_out))})
    return redirect("portal:group", cohort_id=form.instance.pk)


def _group(request: SignedInRequest, key: int) -> Cohort:
    return get_object_or_404(administered_groups_for(request.user), pk=key)
