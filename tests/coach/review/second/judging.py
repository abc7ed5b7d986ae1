"""What the first and the second coach do, through services and through pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.releases import release_feedback
from coach.feedback.verdicts import CoachItem, decide_on_item, replace_item
from coach.rehearsals.models import Rehearsal
from coach.review.rubric.words import QUALITIES
from coach.review.second.models import Decision, Opinion, Place
from coach.review.services import claim_rehearsal, finish_review
from tests.coach.review.rubric.judging import judge

OWN = CoachItem(
    tone="improvement", quality="pace", claim="Slower here.", suggestion="", clips=((1.0, 3.0),)
)
"""What a coach puts in the place of an item."""


def url(take: Rehearsal, name: str) -> str:
    return reverse(f"review:{name}", args=[take.pk])


def answer(draft: Feedback, coach: User, *, level: int = 3, kind: str = "accept") -> None:
    """The first coach judges, decides and releases."""
    take = draft.rehearsal
    claim_rehearsal(rehearsal=take, coach=coach)
    judge(take, coach, level)
    reason = "unimportant" if kind == "reject" else ""
    for item in draft.items.filter(is_chosen=True):
        if kind == "replace":
            replace_item(item=item, coach=coach, words=OWN, reason="wrong_context")
        else:
            decide_on_item(item=item, coach=coach, kind=Verdict.Kind(kind), reason=reason)
    release_feedback(feedback=draft, coach=coach)
    Feedback.objects.filter(pk=draft.pk).update(released_at=timezone.now() - timedelta(minutes=1))
    finish_review(rehearsal=take, coach=coach)


def levels_form(level: int = 4, **more: Any) -> dict[str, Any]:
    return {f"level_{quality.code}": level for quality in QUALITIES} | more


def second(client: Client, take: Rehearsal, kind: str = "keep", level: int = 4) -> Any:
    """Through the pages: take it, judge, decide, hand in."""
    client.post(url(take, "take_second"))
    return hand_in(client, take, kind, level)


def hand_in(client: Client, take: Rehearsal, kind: str = "keep", level: int = 4) -> Any:
    client.post(url(take, "opinion_rubric"), levels_form(level, finish="1"))
    item = take.feedback.order_by("version")[0].items.get(is_chosen=True, origin="rule")
    form = {f"kind_{item.pk}": kind, f"reason_{item.pk}": "tone", "hand_in": "1"}
    return client.post(url(take, "opinion_decide"), form)


def item_of(draft: Feedback) -> Item:
    """The one that the machine chose."""
    return draft.items.get(is_chosen=True)


def keeps(draft: Feedback, coach: User, place: Place, moment: tuple[float, float]) -> Decision:
    """One opinion of the two: handed in, the item kept and seen at a moment."""
    opinion = Opinion.objects.create(
        rehearsal=draft.rehearsal,
        feedback=draft,
        coach=coach,
        place=place,
        submitted_at=timezone.now(),
    )
    clips = [{"start": moment[0], "end": moment[1]}]
    return Decision.objects.create(
        opinion=opinion, item=item_of(draft), kind=Decision.Kind.KEEP, clips=clips
    )
