"""The personal data of ratings: the coach's, and those of the rated person."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.rehearsals.models import Rehearsal
from coach.review.rubric.models import Rating
from coach.review.rubric.selectors import ratings_for, released_rating_for
from coach.review.rubric.words import level_words


def _export(user: User) -> dict[str, Any]:
    return {"ratings": [_rating(each) for each in ratings_for(user).order_by("pk")]}


def _rating(rating: Rating) -> dict[str, Any]:
    return {
        "occasion": rating.occasion,
        "finished_at": rating.finished_at,
        "levels": {each.quality: each.level for each in rating.judgements.all()},
        "priorities": [
            {"goal": each.goal, "words": each.words} for each in rating.priorities.all()
        ],
    }


def _export_take(take: Rehearsal) -> dict[str, Any]:
    """Return the ratings that the owner may read, in the same words."""
    rating = released_rating_for(take.owner, take)
    judged = rating.judgements.all() if rating else ()
    return {"qualities": {each.quality: level_words(each.quality, each.level) for each in judged}}


PERSONAL_DATA = PersonalData(
    app="rubric",
    kept={"ratings": "as long as the take; the coach goes from it with their account"},
    export=_export,
    export_take=_export_take,
    handed_out={"rubric.rating.coach": "ratings"},
)
