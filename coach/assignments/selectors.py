"""Queries about assignments: those of one's groups, and those that one sets for a group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypedDict
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django_stubs_ext import WithAnnotations

from coach.accounts.models import Cohort, Membership, Role, User
from coach.assignments.models import Assignment, AssignmentPartner, AssignmentWork
from coach.assignments.progress import Progress, progress_of
from coach.lib.words.dates import zone_called
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for


def assignments_for(user: User) -> QuerySet[Assignment]:
    """Return the published assignments of the trainee's groups, and those that they have handed
    something in for, also after they left the group or it was withdrawn.
    """
    member = Membership.objects.filter(cohort=OuterRef("cohort"), user=user, role=Role.TRAINEE)
    handed_in = AssignmentWork.objects.filter(
        assignment=OuterRef("pk"), person=user, handed_in_at__isnull=False
    )
    is_set = Q(Exists(member), archived_at=None)
    found = Assignment.objects.filter(is_set | Exists(handed_in), published_at__isnull=False)
    return found.select_related("cohort")


def is_member(user: User, assignment: Assignment) -> bool:
    """Return whether the person practises in the group of this assignment now."""
    members = Membership.objects.filter(cohort=assignment.cohort_id, role=Role.TRAINEE)
    return user.can_practise and members.filter(user=user).exists()


def own_progress_for(user: User, assignments: Iterable[Assignment]) -> list[Progress]:
    """Return the user's own state in each of these assignments."""
    assignments = list(assignments)
    works = AssignmentWork.objects.filter(person=user, assignment__in=assignments)
    by_assignment = {work.assignment_id: work for work in works.select_related("take")}
    for assignment in assignments:
        if work := by_assignment.get(assignment.pk):
            work.assignment = assignment
    return progress_of((each, user, by_assignment.get(each.pk)) for each in assignments)


def partners_for(user: User) -> QuerySet[AssignmentPartner]:
    """Return the partners that the user asked, and the questions of others to the user."""
    found = AssignmentPartner.objects.filter(Q(person=user) | Q(work__person=user))
    return found.select_related("person", "work__person", "work__assignment__cohort")


def takes_to_hand_in_for(user: User, work: AssignmentWork | None) -> QuerySet[Rehearsal]:
    """Return the user's own takes for this assignment, newest first."""
    talk = work.talk_id if work else None
    own = own_rehearsals_for(user).filter(talk=talk) if talk else own_rehearsals_for(user).none()
    return own.order_by("-created_at")


def groups_to_set_for(user: User) -> QuerySet[Cohort]:
    """Return the groups for which the user may set assignments: those that they coach; all for
    administrators.
    """
    coached = Membership.objects.filter(cohort=OuterRef("pk"), user=user, role=Role.COACH)
    if user.is_staff:
        return Cohort.objects.order_by("name", "pk")
    found = Cohort.objects.filter(Exists(coached)) if user.can_review else Cohort.objects.none()
    return found.order_by("name", "pk")


def set_assignments_for(user: User) -> QuerySet[Assignment]:
    """Return the assignments that the user may read and change as coach or administrator."""
    groups = groups_to_set_for(user).order_by().values("pk")
    return Assignment.objects.filter(cohort__in=groups).select_related("cohort", "written_by")


class Membered(TypedDict):
    """What `people_in` adds to a person."""

    is_member: bool
    """Whether they practise in the group now."""


Person: TypeAlias = "WithAnnotations[User, Membered]"


def people_in(assignment: Assignment) -> QuerySet[Person]:
    """Return the trainees of the group now, and people who handed something in before they
    left it, by name.
    """
    member = Membership.objects.filter(
        cohort=assignment.cohort_id, user=OuterRef("pk"), role=Role.TRAINEE
    )
    handed_in = AssignmentWork.objects.filter(
        assignment=assignment, person=OuterRef("pk"), handed_in_at__isnull=False
    )
    here = Exists(member)
    return (
        User.objects.annotate(is_member=here)
        .filter(here | Exists(handed_in))
        .order_by("name", "pk")
    )


def progress_in(assignment: Assignment, people: Iterable[User]) -> list[Progress]:
    """Return the state of each of these people in an assignment."""
    people = list(people)
    works = AssignmentWork.objects.filter(assignment=assignment, person__in=people)
    by_person = {work.person_id: work for work in works.select_related("take")}
    for work in by_person.values():
        work.assignment = assignment
    return progress_of((assignment, each, by_person.get(each.pk)) for each in people)


def zone_of(cohort: Cohort) -> ZoneInfo:
    """Return the time zone in which assignments of a group are due."""
    return zone_called(cohort.time_zone) or ZoneInfo(settings.TIME_ZONE)
