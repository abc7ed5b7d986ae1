"""Values of the list of departments, of the page of one, and of its administrators' first page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch

from coach.accounts.departments import Department, DepartmentAdministrator
from coach.accounts.models import Cohort, User
from coach.portal.departments.forms import AdministratorForm, DepartmentForm, GroupForm
from coach.portal.departments.selectors import (
    administered_groups_for,
    administered_people_for,
    departments_for,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartmentRow:
    """One department in the list."""

    department: Department
    groups: int
    administrators: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartmentPage:
    """The page of one department, for administrators of the site."""

    department: Department
    administrators: Sequence[DepartmentAdministrator]
    groups: Sequence[Cohort]
    name: DepartmentForm
    person: AdministratorForm
    group: GroupForm


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """The first page of an administrator of departments."""

    departments: Sequence[Department]
    people: int
    groups: int


def department_rows(user: User) -> Sequence[DepartmentRow]:
    """Return all departments by name, with their administrators."""
    rows = DepartmentAdministrator.objects.select_related("user").order_by("user__name", "pk")
    found = departments_for(user).annotate(groups=Count("cohorts"))
    return [
        DepartmentRow(
            department=each,
            groups=each.groups,
            administrators=[str(row.user) for row in each.administrators.all()],
        )
        for each in found.prefetch_related(Prefetch("administrators", queryset=rows))
    ]


def department_page(
    department: Department,
    *,
    name: DepartmentForm | None = None,
    person: AdministratorForm | None = None,
    group: GroupForm | None = None,
) -> DepartmentPage:
    """Return the values of one department's page; a refused form is shown with its errors."""
    rows = department.administrators.select_related("user").order_by("user__name", "pk")
    return DepartmentPage(
        department=department,
        administrators=list(rows),
        groups=list(department.cohorts.order_by("name", "pk")),
        name=name or DepartmentForm(instance=department),
        person=person or AdministratorForm(),
        group=group or GroupForm(department=department),
    )


def home_page(user: User) -> HomePage:
    """Return the departments of a person, and how much is in them."""
    return HomePage(
        departments=list(departments_for(user)),
        people=administered_people_for(user).count(),
        groups=administered_groups_for(user).count(),
    )
