"""Condition checks: whether one condition of a rule is met by a report."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass

from analysis.results import Event, Measurement, Reason
from feedback_rules.evaluate.derived import derived
from feedback_rules.evaluate.facts import Facts, Span
from feedback_rules.model import (
    ONLY_THE_VALUE,
    EventCondition,
    EventFilter,
    MetricCondition,
    Outcome,
    SkippedCondition,
)
from feedback_rules.model.moments import DERIVED_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """First reason for which a rule does not fire."""

    outcome: Outcome
    detail: str = ""
    metric: str | None = None
    reason: Reason | None = None


_SILENCE = "silent_pause"
_AT_ITS_EDGE_SECONDS = 0.05
"""Largest distance of an event from a silence that it begins or ends, since nothing sounds inside.
"""
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "above": operator.gt,
    "at_least": operator.ge,
    "below": operator.lt,
    "at_most": operator.le,
}


def why_not(
    condition: MetricCondition | EventCondition | SkippedCondition,
    facts: Facts,
    *,
    is_careful: bool = False,
) -> Miss | None:
    """Return why the condition is not met, or None if it is. `is_careful`: check the whole interval
    if there is one.
    """
    if isinstance(condition, MetricCondition):
        return _why_not_metric(condition, facts, is_careful=is_careful)
    if isinstance(condition, EventCondition):
        return _why_not_event(condition, facts)
    count = facts.skip_reasons.get(condition.skipped, 0)
    if count >= condition.at_least:
        return None
    return Miss(outcome=Outcome.IN_BAND, detail=f"{count} metrics skipped as {condition.skipped}")


def _why_not_metric(condition: MetricCondition, facts: Facts, *, is_careful: bool) -> Miss | None:
    metric = condition.metric
    measurement = facts.report.measurements.get(metric)
    if measurement is None:
        return unmeasured(metric, facts)
    number = bound(measurement, condition.use)
    if number is None:
        return Miss(outcome=Outcome.NO_INTERVAL, metric=metric)
    reference = facts.reference(condition.relative_to, metric)
    if reference is None:
        detail = facts.lack_of(condition.relative_to, metric)
        return Miss(outcome=Outcome.MISSING_CONTEXT, detail=detail, metric=metric)
    numbers = (number, *(measurement.interval or ())) if is_careful else (number,)
    missing = [each for each in numbers if not _compares(condition, each / reference)]
    if not missing:
        return None
    limit = condition.band if condition.band is not None else condition.value
    end = condition.use if number in missing else "end of range"
    detail = f"{end} {missing[0] / reference:.4g} is not {condition.op} {limit}"
    if _compares(condition, measurement.value / reference):
        detail += ONLY_THE_VALUE
    return Miss(outcome=Outcome.IN_BAND, detail=detail, metric=metric)


def _compares(condition: MetricCondition, number: float) -> bool:
    if condition.band is not None:
        low, high = condition.band
        return (low <= number < high) is (condition.op == "between")
    return condition.value is not None and _COMPARE[condition.op](number, condition.value)


def bound(measurement: Measurement, use: str) -> float | None:
    """Return the number of a measurement that a condition uses; None without an interval."""
    if use == "value" or (measurement.interval is None and use.endswith("_if_known")):
        return measurement.value
    if measurement.interval is None:
        return None
    return measurement.interval[0 if use.startswith("low") else 1]


def unmeasured(metric: str, facts: Facts) -> Miss:
    """Return why a metric has no value, as stated in the report."""
    skipped = facts.report.skipped.get(metric)
    return Miss(
        outcome=Outcome.NOT_MEASURED,
        detail=skipped.code if skipped else "",
        metric=metric,
        reason=skipped.reason if skipped else Reason.NOT_MEASURED_BY_THIS_VERSION,
    )


def _why_not_event(condition: EventCondition, facts: Facts) -> Miss | None:
    count = len(matching(condition, facts))
    number = _counted(count, condition, facts)
    enough = condition.at_least is None or number >= condition.at_least
    few = condition.at_most is None or number <= condition.at_most
    if enough and few:
        return None
    return Miss(outcome=Outcome.IN_BAND, detail=f"{condition.event}: {number:.4g}")


def _counted(count: int, condition: EventCondition, facts: Facts) -> float:
    if condition.share_of is not None:
        whole = len(matching(EventFilter(event=condition.share_of), facts))
        return count / whole if whole else 0.0
    return count / _minutes(condition, facts) if condition.per_minute else float(count)


def _minutes(condition: EventFilter, facts: Facts) -> float:
    spans = [facts.windows[name] for name in condition.within] or [facts.talk]
    return max(sum(end - start for start, end in spans), 1.0) / 60


def matching(wanted: EventFilter, facts: Facts) -> tuple[Event, ...]:
    """Return the events that pass a filter, in time order."""
    given = (
        derived(wanted.event, facts)
        if wanted.event in DERIVED_KINDS
        else facts.by_kind.get(wanted.event, ())
    )
    return tuple(event for event in given if _passes(event, wanted, facts))


def _passes(event: Event, wanted: EventFilter, facts: Facts) -> bool:
    if event.end - event.start < wanted.min_seconds:
        return False
    labelled = not wanted.labels or event.label in wanted.labels
    if not labelled and not _touches(event, wanted.or_within, facts):
        return False
    if wanted.within and not _touches(event, wanted.within, facts):
        return False
    if not _has_detail(event, wanted) or _has_other_below(event, wanted, facts):
        return False
    return wanted.overlaps is None or _covered_share(event, wanted, facts) >= wanted.overlap_share


def _has_detail(event: Event, wanted: EventFilter) -> bool:
    if any(str(event.detail.get(key)) != value for key, value in wanted.detail.items()):
        return False
    least = wanted.detail_at_least.items()
    return all(_number(event.detail.get(key)) >= value for key, value in least)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("-inf")


def _has_other_below(event: Event, wanted: EventFilter, facts: Facts) -> bool:
    others = facts.by_kind.get(wanted.free_of, ()) if wanted.free_of else ()
    reach = _AT_ITS_EDGE_SECONDS if event.kind == _SILENCE else 0.0
    start, end = event.start - reach, event.end + reach
    return any(start < other.end and other.start < end for other in others)


def _touches(event: Event, windows: tuple[str, ...], facts: Facts) -> bool:
    spans = [facts.windows[name] for name in windows]
    return any(event.start < end and event.end > start for start, end in spans)


def _covered_share(event: Event, wanted: EventFilter, facts: Facts) -> float:
    """Return the share of the event covered by other events of the wanted kind."""
    others = [
        (max(o.start, event.start), min(o.end, event.end))
        for o in facts.by_kind.get(wanted.overlaps or "", ())
        if not wanted.overlap_labels or o.label in wanted.overlap_labels
    ]
    return _union(others) / max(event.end - event.start, 1e-9)


def _union(spans: list[Span]) -> float:
    covered, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        covered += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return covered
