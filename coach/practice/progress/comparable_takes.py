"""Comparable takes of a person, and why the others are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from analysis.results import Reason
from coach.accounts.models import User
from coach.feedback.corrected_reports import rows_for_reading
from coach.feedback.models import MeasuredValue, Run
from coach.feedback.reports import languages_in, measurement_in
from coach.feedback.selectors import held_back_among, newest_report_runs
from coach.practice.change import Value
from coach.practice.progress.measures import LEAST_COVERAGE
from coach.rehearsals.comparability import recorded_otherwise
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for

MOST_TAKES = 40
"""Number of newest takes read; older ones are another beginning."""


class ExclusionReason(Enum):
    """Reason why a take, or one value of it, is not compared."""

    NOT_ANALYSED = "not_analysed"
    NOT_READ = "not_read"
    WITH_COACH = "with_coach"
    CUT_OFF = "cut_off"
    OTHER_SITUATION = "other_situation"
    SEVERAL_PEOPLE = "several_people"
    LOW_COVERAGE = "low_coverage"
    TOO_UNCERTAIN = "too_uncertain"
    OTHER_CAMERA = "other_camera"
    OTHER_SOUND = "other_sound"
    EARLIER = "earlier"
    NOT_MEASURED = "not_measured"


_OTHERWISE = {
    None: None,
    "camera": ExclusionReason.OTHER_CAMERA,
    "sound": ExclusionReason.OTHER_SOUND,
}


class Situation(NamedTuple):
    """Conditions that must be equal: language, first or later language, setting, constructed or
    real.

    A take without speech has no language.
    """

    language: str
    speaks_as: str
    setting: str
    is_constructed: bool

    def includes(self, other: Situation) -> bool:
        """Return whether takes of the other situation are comparable; without speech, with
        any language.
        """
        if other.language:
            return other == self
        return (other.setting, other.is_constructed) == (self.setting, self.is_constructed)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTake:
    """One take with its measured values."""

    take: Rehearsal
    rows: dict[str, MeasuredValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparableTakes:
    """Takes of one situation, oldest first; why others are left out; other situations."""

    situation: Situation | None
    takes: tuple[MeasuredTake, ...]
    left_out: Counter[ExclusionReason]
    others: tuple[Situation, ...]


def situation_of(take: Rehearsal, language: str) -> Situation:
    """Return the situation of a take, with the language of its report."""
    speaks_as = take.speaks_as if language else ""
    return Situation(language, speaks_as, take.setting, take.is_constructed)


def _chosen_among(found: Iterable[Situation]) -> list[Situation]:
    """Return each situation once, newest first; one without speech joins the newest that
    includes it.
    """
    those = list(found)
    spoken = [each for each in those if each.language]
    return list(
        dict.fromkeys(
            next((other for other in spoken if other.includes(each)), each) for each in those
        )
    )


def comparable_takes(
    user: User, metrics: Sequence[str], wanted: int = 0, *, since: datetime | None = None
) -> ComparableTakes:
    """Return the person's takes in one situation: the newest take's, or the one numbered `wanted`.

    Among the newest takes, and all `since` that time, however many they are.
    """
    takes, earlier = _takes_compared(user, since)
    runs = newest_report_runs(takes)
    held_back = held_back_among(takes)
    left_out: Counter[ExclusionReason] = Counter({ExclusionReason.EARLIER: earlier})
    able = []
    for take in takes:
        why = _obstacle(take, runs.get(take.pk), is_held_back=take.pk in held_back)
        if why is None:
            able.append(take)
        else:
            left_out[why] += 1
    languages = languages_in(runs[take.pk] for take in able)
    given = {take.pk: situation_of(take, languages[runs[take.pk].pk]) for take in able}
    situations = _chosen_among(given.values())
    if not situations:
        return ComparableTakes(situation=None, takes=(), left_out=+left_out, others=())
    chosen = situations[wanted if 0 <= wanted < len(situations) else 0]
    same = [take for take in reversed(able) if chosen.includes(given[take.pk])]
    left_out[ExclusionReason.OTHER_SITUATION] += len(able) - len(same)
    rows = rows_for_reading([runs[take.pk] for take in same], metrics)
    return ComparableTakes(
        situation=chosen,
        takes=tuple(MeasuredTake(take=take, rows=rows.get(runs[take.pk].pk, {})) for take in same),
        left_out=+left_out,
        others=tuple(situations),
    )


def _takes_compared(user: User, since: datetime | None) -> tuple[list[Rehearsal], int]:
    """Return takes, newest first, and the number of older ones."""
    own = own_rehearsals_for(user).select_related("cohort").order_by("-created_at")
    takes = list(own[:MOST_TAKES])
    if len(takes) < MOST_TAKES:
        return takes, 0
    if since is not None:
        takes += own.filter(created_at__gte=since)[MOST_TAKES:]
    return takes, own.count() - len(takes)


def _obstacle(take: Rehearsal, run: Run | None, *, is_held_back: bool) -> ExclusionReason | None:
    if run is None:
        return ExclusionReason.NOT_ANALYSED
    if is_held_back:
        return ExclusionReason.WITH_COACH
    # The content of an unopened report is not revealed.
    if take.opened_at is None:
        return ExclusionReason.NOT_READ
    return ExclusionReason.CUT_OFF if take.is_partial else None


def why_not(row: MeasuredValue | None) -> ExclusionReason | None:
    """Return why one value is not compared; None if it is."""
    if row is None:
        return ExclusionReason.NOT_MEASURED
    if row.reason in {Reason.SEVERAL_SPEAKERS.value, Reason.SEVERAL_FACES.value}:
        return ExclusionReason.SEVERAL_PEOPLE
    if row.value is None:
        return ExclusionReason.NOT_MEASURED
    if row.coverage is not None and row.coverage < LEAST_COVERAGE:
        return ExclusionReason.LOW_COVERAGE
    return ExclusionReason.TOO_UNCERTAIN if measurement_in(row).is_open else None


def why_not_beside(metric: str, takes: Sequence[MeasuredTake]) -> list[ExclusionReason | None]:
    """Return why the value of each take is not compared; None if it is.

    A value counts if it was recorded like the newest measurable take: with the camera in the same
    place, or without the browser's sound processing if that one has none.
    """
    alone = [why_not(each.rows.get(metric)) for each in takes]
    measured = [each.take for each, why in zip(takes, alone, strict=True) if why is None]
    if not measured:
        return alone
    return [
        why or _OTHERWISE[recorded_otherwise(metric, each.take, measured[-1])]
        for each, why in zip(takes, alone, strict=True)
    ]


def value_of(row: MeasuredValue) -> Value:
    """Return the value with its interval, for computing changes."""
    return Value(value=row.value or 0.0, low=row.low, high=row.high)


def mean_of(values: Iterable[Value]) -> Value:
    """Return the mean; its interval assumes independent errors."""
    those = list(values)
    n = len(those)
    middle = sum(each.value for each in those) / n
    if any(each.low is None or each.high is None for each in those):
        return Value(value=middle)
    down = sum((each.value - (each.low or 0.0)) ** 2 for each in those) ** 0.5 / n
    up = sum(((each.high or 0.0) - each.value) ** 2 for each in those) ** 0.5 / n
    return Value(value=middle, low=middle - down, high=middle + up)
