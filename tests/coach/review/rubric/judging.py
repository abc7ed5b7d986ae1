"""A coach who judges."""

from __future__ import annotations

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.review.rubric.models import Occasion, Rating
from coach.review.rubric.services import (
    OwnPriority,
    finish_rating,
    save_rating,
)
from coach.review.rubric.words import QUALITIES


def levels(level: int | None = 3) -> dict[str, int | None]:
    return {quality.code: level for quality in QUALITIES}


def judge(take: Rehearsal, coach: User, level: int | None = 3) -> Rating:
    save_rating(
        rehearsal=take,
        coach=coach,
        occasion=Occasion.REVIEW,
        levels=levels(level),
        priorities=[OwnPriority(words="The ending", goal="structure")],
    )
    return finish_rating(rehearsal=take, coach=coach, occasion=Occasion.REVIEW)
