"""A site with 5,000 people in 101 groups of four departments: what administrators look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from coach.accounts.departments import Department, DepartmentAdministrator
from coach.accounts.models import Cohort, Membership, Role, User
from coach.assignments.models import Assignment
from coach.audit.models import Entry
from coach.portal.models import Invitation, InvitationList

PEOPLE, GROUPS, DEPARTMENTS, ENTRIES, CLASS = 5_000, 100, 4, 60_000, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Faculty:
    """The people whose pages are opened, and what they open."""

    administrator: User
    dean: User
    """Administrator of one department."""
    department: Department
    group: Cohort
    """A group of `CLASS` trainees, in that department."""
    assignment: Assignment


def seed_faculty() -> Faculty:
    """Add the people, groups and entries."""
    administrator, dean = (
        User.objects.create(email=f"{name}@faculty.example", name=name, roles=[], **flags)
        for name, flags in (
            ("Ada", {"is_staff": True, "is_superuser": True}),
            ("Dean", {"administers_departments": True}),
        )
    )
    departments = Department.objects.bulk_create(
        Department(name=f"Department {n}") for n in range(DEPARTMENTS)
    )
    DepartmentAdministrator.objects.create(department=departments[0], user=dean)
    groups = Cohort.objects.bulk_create(
        Cohort(name=f"Group {n}", department=departments[n % DEPARTMENTS])
        for n in range(GROUPS + 1)
    )
    people = _people(groups, administrator)
    _log(people, groups, administrator)
    assignment = Assignment.objects.create(
        cohort=groups[0],
        title="Three minutes",
        aim="inform",
        audience="mixed",
        setting="camera",
        due_at=timezone.now() + timedelta(days=7),
        published_at=timezone.now(),
    )
    return Faculty(
        administrator=administrator,
        dean=dean,
        department=departments[0],
        group=groups[0],
        assignment=assignment,
    )


def _people(groups: Sequence[Cohort], administrator: User) -> Sequence[User]:
    """The first people are in one large class, the others in all groups; two of each coach."""
    people = User.objects.bulk_create(
        User(email=f"p{n}@faculty.example", name=f"Person {n}", roles=[Role.TRAINEE])
        for n in range(PEOPLE)
    )
    Membership.objects.bulk_create(
        Membership(
            user=person,
            cohort=groups[0 if n < CLASS else n % len(groups)],
            role=Role.COACH if CLASS <= n < CLASS + 2 * len(groups) else Role.TRAINEE,
        )
        for n, person in enumerate(people)
    )
    sent = InvitationList.objects.create(made_by=administrator)
    Invitation.objects.bulk_create(Invitation(person=each, list=sent) for each in people[-500:])
    return people


def _log(people: Sequence[User], groups: Sequence[Cohort], actor: User) -> None:
    Entry.objects.bulk_create(
        (
            Entry(
                actor=actor,
                action="accounts.joined" if n % 2 else "accounts.invited",
                object_type="accounts.user",
                object_id=str(people[n % PEOPLE].pk),
                detail={"cohort": groups[n % len(groups)].name} if n % 2 else {},
            )
            for n in range(ENTRIES)
        ),
        batch_size=5_000,
    )
