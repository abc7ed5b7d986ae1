"""Making assignments and takes for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from coach.accounts.models import User
from coach.assignments.models import Assignment
from coach.assignments.services import Brief, begin_work
from coach.rehearsals.models import Rehearsal
from tests.coach.factories import RehearsalFactory, finish_analysis

DUE = timedelta(days=3)


def a_brief(**more: Any) -> Brief:
    plain = Brief(
        title="Explain one result",
        instructions="To a first-year class.",
        aim="teach",
        audience="students",
        setting="stage",
        time_limit=300.0,
        needs_slides=False,
        needs_answers=False,
        takes_wanted=2,
        most_together=1,
        goals=[],
        peers_wanted=0,
        exercises=["breathe_instead"],
        due_at=timezone.now() + DUE,
        grace_hours=2,
    )
    return replace(plain, **more)


def a_take(person: User, assignment: Assignment) -> Rehearsal:
    """One more analysed take for the assignment."""
    work = begin_work(assignment=assignment, person=person)
    take = RehearsalFactory(owner=person, cohort=assignment.cohort, talk=work.talk)
    finish_analysis(take)
    return take
