"""The one thing to try in the next take: from the last report of the talk, else from the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.documents import CardDocument
from coach.feedback.items import StandingItem, items_for_reading
from coach.feedback.models import Feedback
from coach.feedback.selectors import feedback_for_owner
from coach.lib.words.measure_words import label_of
from coach.practice.exercises.catalogue import CatalogueExercise, exercise_for
from coach.practice.models import FocusArea
from coach.practice.plan.ladders import LADDERS
from coach.practice.preferences import spoken_of
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for
from coach.rulesets.selectors import rule_set_of

Better = Literal["less", "more", ""]
"""The better direction of a measure; empty if it is unknown."""

_TAKES_READ = 3
"""The number of earlier takes in which an improvement is looked for: older advice is stale (rule of
thumb)."""
_COMPARED_BY = {"fillers.bursts_per_minute": "fillers.filled_pauses_per_minute"}
"""Bursts are rare in one take; the ums in them are compared instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What a person meant to try, the measure that shows it, and the take to compare with."""

    topic: str
    suggestion: str
    language: str = ""
    """The language of both; empty for the page's own."""
    metric: str = ""
    better: Better = ""
    rule: str = ""
    take: Rehearsal | None = None
    feedback: Feedback | None = None
    """The feedback of that take, as its owner reads it."""
    card: CardDocument | None = None
    item_id: str = ""
    """The card that advises it, and its item; empty for a focus of the plan."""
    drill: CatalogueExercise | None = None

    @property
    def url(self) -> str:
        """Return the page of the exercise that trains it; empty if there is none."""
        if self.drill is None:
            return ""
        page = reverse("practice:exercise", args=[self.drill.id])
        return f"{page}?card={self.item_id}" if self.item_id else page


def advice_for(
    person: User, *, of: Rehearsal | None = None, before: datetime | None = None
) -> Advice | None:
    """Return what to try in the next take of the talk of a take; None without any advice.

    `of`: a take of that talk; None for a new talk. `before`: as of that time, for an older take.
    """
    read = own_rehearsals_for(person).exclude(opened_at=None).select_related("cohort")
    if before is not None:
        read = read.filter(created_at__lt=before)
    takes = list(read.order_by("-created_at")[:_TAKES_READ])
    if before is not None and not takes:
        return None  # a first report has nothing to look back at
    if of is not None:
        same = [take for take in takes if take.talk_id == of.talk_id]
        if len(takes) == _TAKES_READ:
            same = list(read.filter(talk=of.talk_id).order_by("-created_at")[:_TAKES_READ])
        if found := next(_from_reports(person, same), None):
            return found
    planned = _from_plan(person, takes, before)
    return planned or next(_from_reports(person, takes), None)


def _from_reports(person: User, takes: Iterator[Rehearsal] | list[Rehearsal]) -> Iterator[Advice]:
    """Yield the first improvement of each report that the owner can read."""
    for take in takes:
        feedback = feedback_for_owner(take)
        if feedback is None:
            continue
        items = items_for_reading(feedback)
        first = next((each for each in items if each.item.tone != "strength"), None)
        if first is not None:
            yield _of_card(person, first, take, feedback)


def _of_card(person: User, item: StandingItem, take: Rehearsal, feedback: Feedback) -> Advice:
    card = item.card
    metric = _COMPARED_BY.get(card.metric, card.metric)
    may = bool(metric) and bool(spoken_of(person, [metric]))
    return Advice(
        topic=card.label or card.claim,
        suggestion=card.suggestion,
        language=card.language,
        metric=metric if may else "",
        better=_better(card, item.item.rule, feedback) if may else "",
        rule=item.item.rule,
        take=take,
        feedback=feedback,
        card=card,
        item_id=str(item.item.pk),
        drill=exercise_for(rule=item.item.rule, quality=item.item.quality),
    )


def _better(card: CardDocument, rule: str, feedback: Feedback) -> Better:
    """Return the direction away from what the rule raises."""
    rules = {each.id: each for each in rule_set_of(feedback.rule_set).rules}
    found = rules.get(rule)
    if found is None or found.severity.metric != card.metric:
        return ""
    return "less" if found.severity.direction == "above" else "more"


def _from_plan(person: User, takes: list[Rehearsal], at: datetime | None) -> Advice | None:
    """Return the oldest focus of the plan, as of a time; compared with the newest take."""
    areas = FocusArea.objects.filter(person=person)
    if at is None:
        areas = areas.filter(ended_at=None)
    else:
        areas = areas.filter(Q(ended_at=None) | Q(ended_at__gt=at), created_at__lt=at)
    metrics = list(areas.order_by("created_at").values_list("metric", flat=True))
    may = spoken_of(person, metrics, with_norms=True) if metrics else []
    if not may:
        return None
    ladder = LADDERS[may[0]]
    drill = exercise_for(rule=ladder.rule, quality="")
    take = takes[0] if takes else None
    return Advice(
        topic=label_of(ladder.metric),
        suggestion=drill.words.aim if drill else _("Keep this focus of your plan in mind."),
        metric=ladder.metric,
        better="less" if ladder.side == "at_most" else "more",
        take=take,
        feedback=feedback_for_owner(take) if take else None,
        drill=drill,
    )
