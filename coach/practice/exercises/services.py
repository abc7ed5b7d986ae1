"""Service that records a completed exercise."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.practice.models import ExerciseDone
from coach.rehearsals.models import Rehearsal

ONE_PRESS = timedelta(minutes=1)
"""Within this, pressing again means the same time (rule of thumb)."""


@transaction.atomic
def note_exercise_done(
    *, user: User, exercise: str, rehearsal: Rehearsal | None = None
) -> ExerciseDone:
    """Record that the person did an exercise; a repeated click changes nothing.

    `exercise` is its id in the catalogue, or that of the rule whose own exercise it is.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    just_now = ExerciseDone.objects.filter(
        user=user,
        exercise=exercise,
        rehearsal=rehearsal,
        at__gte=timezone.now() - ONE_PRESS,
    ).first()
    if just_now is not None:
        return just_now
    done = ExerciseDone.objects.create(user=user, exercise=exercise, rehearsal=rehearsal)
    record_act(action="practice.exercise_done", target=done, actor=user, exercise=exercise)
    return done
