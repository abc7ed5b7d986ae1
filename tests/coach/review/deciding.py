"""A coach who claims a take and decides."""

from __future__ import annotations

from coach.accounts.models import User
from coach.feedback.models import Feedback, Verdict
from coach.feedback.verdicts import CoachItem, decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review


def taken(review: Review | None) -> Rehearsal:
    """What was claimed."""
    assert review is not None
    return review.rehearsal


def own(**changes: object) -> CoachItem:
    words: dict[str, object] = {
        "tone": "improvement",
        "quality": "structure",
        "claim": "Your question at the start had no answer.",
        "suggestion": "Answer it in the last sentence.",
        "clips": ((12.0, 18.0),),
    }
    return CoachItem(**{**words, **changes})  # type: ignore[arg-type]


def settle(draft: Feedback, coach: User) -> None:
    for each in draft.items.all():
        decide_on_item(item=each, coach=coach, kind=Verdict.Kind.ACCEPT)
