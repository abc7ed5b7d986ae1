"""Views for departments: of the site's administrators, and the first page of a department's own."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import administrators_only, people_managers_only
from coach.accounts.departments import Department
from coach.accounts.freshness import password_again
from coach.lib.web.http import SignedInRequest
from coach.portal.departments.forms import AdministratorForm, DepartmentForm, GroupForm
from coach.portal.departments.page import (
    DepartmentPage,
    department_page,
    department_rows,
    home_page,
    log_page,
)
from coach.portal.departments.selectors import departments_for
from coach.portal.departments.services import (
    move_group,
    remove_administrator,
    save_department,
    set_closed,
)
from coach.portal.departments.services import name_administrator as name_one


@require_safe
@people_managers_only
def home(request: SignedInRequest) -> HttpResponse:
    """Show an administrator of departments the ways to people, groups and figures."""
    if request.user.is_staff:
        return redirect("portal:administration")
    return render(request, "portal/departments/home.html", {"page": home_page(request.user)})


@require_safe
@people_managers_only
def log(request: SignedInRequest) -> HttpResponse:
    """Show what was done to the groups, and to the people in them."""
    context = {"page": log_page(request, request.user)}
    return render(request, "portal/departments/log.html", context)


@require_http_methods(["GET", "POST"])
@administrators_only
@password_again
def departments(request: SignedInRequest) -> HttpResponse:
    """Show all departments, and make one."""
    form = DepartmentForm(request.POST or None)
    if form.is_valid():
        save_department(department=form.instance, actor=request.user)
        messages.success(request, _("Saved. Name its administrators, and move groups here."))
        return redirect("portal:department", department_id=form.instance.pk)
    context = {"rows": department_rows(request.user), "form": form}
    status = 422 if form.errors else 200
    return render(request, "portal/departments/departments.html", context, status=status)


@require_safe
@administrators_only
def department(request: SignedInRequest, department_id: int) -> HttpResponse:
    """Show one department with its administrators and groups."""
    found = _department(request, department_id)
    return _page(request, department_page(found))


@require_POST
@administrators_only
@password_again
def change(request: SignedInRequest, department_id: int) -> HttpResponse:
    """Rename a department, close it (`wish=close`), or reopen it."""
    found = _department(request, department_id)
    wish = request.POST.get("wish")
    if wish in {"close", "reopen"}:
        set_closed(department=found, is_closed=wish == "close", actor=request.user)
    else:
        form = DepartmentForm(request.POST, instance=found)
        if not form.is_valid():
            return _page(request, department_page(_department(request, department_id), name=form))
        save_department(department=form.instance, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("portal:department", department_id=department_id)


@require_POST
@administrators_only
@password_again
def name_administrator(request: SignedInRequest, department_id: int) -> HttpResponse:
    """Make a person administrator of a department."""
    found = _department(request, department_id)
    form = AdministratorForm(request.POST)
    if form.is_valid():
        person = form.cleaned_data["person"]
        try:
            name_one(department=found, person=person, actor=request.user)
        except ValidationError as error:
            form.add_error("person", error)
        else:
            messages.success(
                request, _("%(name)s administers this department now.") % {"name": person}
            )
            return redirect("portal:department", department_id=department_id)
    return _page(request, department_page(found, person=form))


@require_POST
@administrators_only
@password_again
def end_administration(
    request: SignedInRequest, department_id: int, person_id: int
) -> HttpResponse:
    """End a person's administration of a department."""
    found = _department(request, department_id)
    rows = found.administrators.select_related("user", "department")
    remove_administrator(row=get_object_or_404(rows, user=person_id), actor=request.user)
    messages.success(request, _("Removed. Account, roles and groups stay."))
    return redirect("portal:department", department_id=department_id)


@require_POST
@administrators_only
@password_again
def move(request: SignedInRequest, department_id: int) -> HttpResponse:
    """Move a group to a department, or out of it (`out`)."""
    found = _department(request, department_id)
    if "out" in request.POST:
        key = request.POST["out"]
        group = get_object_or_404(found.cohorts, pk=int(key) if key.isdecimal() else None)
        move_group(cohort=group, department=None, actor=request.user)
    else:
        form = GroupForm(request.POST, department=found)
        if not form.is_valid():
            return _page(request, department_page(found, group=form))
        move_group(cohort=form.cleaned_data["cohort"], department=found, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("portal:department", department_id=department_id)


def _department(request: SignedInRequest, key: int) -> Department:
    return get_object_or_404(departments_for(request.user), pk=key)


def _page(request: SignedInRequest, page: DepartmentPage) -> HttpResponse:
    status = 422 if request.method == "POST" else 200
    return render(request, "portal/departments/department.html", {"page": page}, status=status)
