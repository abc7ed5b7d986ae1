"""Takes that two coaches rated, with both opinions as plain values, for thousands of takes."""

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
    """The coach's own moments; empty without any."""
    moments: Spans
    """The coach's own moments, else the machine's."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A coach's opinion."""

    levels: dict[str, int] = field(default_factory=dict)
    """Levels by quality; a quality that could not be rated is left out."""
    decisions: dict[str, ItemOpinion] = field(default_factory=dict)
    """Decisions by rule, which identifies the same item in two versions of a draft."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A take with both opinions."""

    take: str
    duration: float
    first: Judged
    second: Judged


def pairs_in(groups: QuerySet[Cohort]) -> list[Pair]:
    """Return all takes of these groups with two opinions."""
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
    """Return first and second opinions, if both are submitted."""
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
