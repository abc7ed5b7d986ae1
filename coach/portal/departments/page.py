"""Values of the list of departments, of the page of one, and of its administrators' first page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch
from django.http import HttpRequest

from coach.accounts.departments import Department, DepartmentAdministrator
from coach.accounts.models import Cohort, User
from coach.audit.details import detail_words
from coach.audit.models import Entry
from coach.audit.registry import ACTIONS
from coach.lib.pages.paging import Paging, page_of
from coach.portal.departments.forms import AdministratorForm, DepartmentForm, GroupForm
from coach.portal.departments.selectors import (
    administered_groups_for,
    administered_people_for,
    departments_for,
    entries_for,
)

PAGE_SIZE = 50


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


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One entry of the audit log in words."""

    at: datetime
    who: str
    """Empty for the site itself, and for an erased person."""
    act: str
    about: str
    """Name of the group or person; empty if deleted."""
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogPage:
    """A page of the audit log of a person's groups."""

    rows: Sequence[LogRow]
    paging: Paging


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


def log_page(request: HttpRequest, user: User) -> LogPage:
    """Return a page of the entries about a person's groups and the people in them."""
    entries, paging = page_of(request, entries_for(user), size=PAGE_SIZE)
    names = _names(entries)
    return LogPage(
        rows=[
            LogRow(
                at=each.at,
                who=str(each.actor) if each.actor else "",
                act=str(ACTIONS[each.action]),
                about=names.get((each.object_type, each.object_id), ""),
                said=detail_words(each.action, each.object_type, each.detail)
                if each.detail
                else "",
            )
            for each in entries
        ],
        paging=paging,
    )


def _names(entries: Sequence[Entry]) -> dict[tuple[str, str], str]:
    """Return the names of people and groups, by the kind and id of an entry."""
    found: dict[tuple[str, str], str] = {}
    for model in (User, Cohort):
        kind = model._meta.label_lower  # noqa: SLF001 (Django's public API)
        keys = {int(each.object_id) for each in entries if each.object_type == kind}
        found |= {
            (kind, str(key)): name
            for key, name in model.objects.filter(pk__in=keys).values_list("pk", "name")
        }
    return found
