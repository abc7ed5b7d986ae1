"""An assignment of the demonstration's group, with people in several states.

The first trainee has not begun: visitors try it with their account.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import Cohort, Role, User
from coach.assignments.models import Assignment
from coach.assignments.selectors import zone_of
from coach.assignments.services import Brief, begin_work, extend, hand_in, write_assignment
from coach.portal.demonstration.actions import person_of
from coach.portal.demonstration.seeding import reading
from coach.rehearsals.models import Goal, Rehearsal

HANDED_IN: Final = ("nadia@rostrum.example", "elise@rostrum.example")
"""Their takes are with the coaches already; the second one is reviewed."""
PRACTISING: Final = ("tom@rostrum.example",)
EXTENDED: Final = "ben@rostrum.example"
_DAYS: Final = 7


@transaction.atomic
def set_assignment() -> None:
    """Let the coach set one assignment for their group, and the trainees work on it, once."""
    coach = person_of(Role.COACH)
    cohort = Cohort.objects.filter(memberships__user=coach).order_by("pk").first()
    if cohort is None or cohort.archived_at or Assignment.objects.filter(cohort=cohort).exists():
        return
    assignment = write_assignment(
        cohort=cohort, brief=_brief(cohort), is_published=True, actor=coach
    )
    for address in (*HANDED_IN, *PRACTISING):
        _work(assignment, address, hands_in=address in HANDED_IN)
    late = User.objects.filter(email=EXTENDED).first()
    if late is not None:
        more = assignment.due_at + timedelta(days=3)
        extend(assignment=assignment, person=late, due_at=more, reason="Exam week", actor=coach)


def _brief(cohort: Cohort) -> Brief:
    day = (timezone.now() + timedelta(days=_DAYS)).date()
    return Brief(
        title="Explain something in two minutes",
        instructions="Explain one thing that you know well to people who hear of it for the first "
        "time.\n\nBegin with an example, and stop within the time.",
        aim="inform",
        audience="public",
        setting="camera",
        time_limit=120.0,
        needs_slides=False,
        needs_answers=False,
        takes_wanted=2,
        most_together=2,
        goals=[Goal.STRUCTURE, Goal.CLARITY],
        peers_wanted=1,
        exercises=["cut_in_three", "one_number"],
        due_at=datetime.combine(day, time(18, 0), tzinfo=zone_of(cohort)),
        grace_hours=2,
    )


def _work(assignment: Assignment, address: str, *, hands_in: bool) -> None:
    take = Rehearsal.objects.filter(owner__email=address).order_by("created_at").first()
    if take is None:
        return
    with reading(take.owner):
        begin_work(assignment=assignment, person=take.owner, talk=take.talk)
        is_sent = take.grants.filter(cohort=assignment.cohort, revoked_at=None).exists()
        if hands_in and is_sent:
            hand_in(assignment=assignment, person=take.owner, take_id=take.pk)
