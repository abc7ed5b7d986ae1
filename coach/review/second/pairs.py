"""Takes that two coaches judged, and what each of them said: read as values, for thousands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from coach.accounts.models import Cohort
from coach.review.rubric.models import Judgement
from coach.review.second.models import Decision, Opinion, Place

Spans = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOpinion:
    """A coach's decision on an item, and its moments."""

    kind: str
    tells_where: bool
    own_moments: Spans
    """None where this coach marked none of their own."""
    moments: Spans
    """As they marked it, else as the machine did."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One coach's opinion."""

    levels: dict[str, int] = field(default_factory=dict)
    """By quality; one that could not be judged has no level to compare."""
    decisions: dict[str, ItemOpinion] = field(default_factory=dict)
    """By rule: a rule fires once a draft, so it also tells the same item in two versions of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One take, and both opinions on it."""

    take: str
    duration: float
    first: Judged
    second: Judged


def pairs_in(groups: QuerySet[Cohort]) -> list[Pair]:
    """Return every take of these groups that two coaches judged, by its key."""
    both = _judged_twice(groups)
    judged = _opinions(both)
    found: dict[UUID, dict[str, Judged]] = defaultdict(dict)
    durations: dict[UUID, float] = {}
    rows = both.order_by("rehearsal").values_list("pk", "rehearsal", "place", "rehearsal__duration")
    for opinion, take, place, duration in rows:
        found[take][place] = judged[opinion]
        durations[take] = duration or 0.0
    return [
        Pair(
            take=str(take),
            duration=durations[take],
            first=places[Place.FIRST],
            second=places[Place.SECOND],
        )
        for take, places in found.items()
    ]


def _judged_twice(groups: QuerySet[Cohort]) -> QuerySet[Opinion]:
    """First and second opinions, where both are handed in."""
    handed_in = Opinion.objects.filter(
        submitted_at__isnull=False,
        given_up_at__isnull=True,
        rehearsal__review__grant__cohort__in=groups,
    )
    there = {
        place: Exists(handed_in.filter(rehearsal=OuterRef("rehearsal"), place=place))
        for place in (Place.FIRST, Place.SECOND)
    }
    return handed_in.filter(*there.values(), place__in=there)


def _opinions(both: QuerySet[Opinion]) -> dict[int, Judged]:
    found: dict[int, Judged] = defaultdict(Judged)
    opinions = both.values("pk")
    levels = Judgement.objects.filter(rating__opinion__in=opinions, level__isnull=False)
    for opinion, quality, level in levels.values_list("rating__opinion", "quality", "level"):
        found[opinion].levels[quality] = level or 0
    decisions = Decision.objects.filter(opinion__in=opinions).order_by("pk")
    for opinion, rule, kind, clips, tells_where, drafted in decisions.values_list(
        "opinion", "item__rule", "kind", "clips", "tells_where", "item__document__clips"
    ):
        own = _spans(clips)
        found[opinion].decisions[rule] = ItemOpinion(
            kind=kind,
            tells_where=tells_where,
            own_moments=own,
            moments=own or _spans(drafted or []),
        )
    return found


def _spans(clips: Sequence[dict[str, Any]]) -> tuple[tuple[float, float], ...]:
    return tuple((clip["start"], clip["end"]) for clip in clips)
