"""Check whether redoing a part could show a change, given its best possible outcome.

Half a minute holds few ums. If even none afterwards would be within measurement error, a comparison
could only disappoint, so it is not offered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from math import sqrt

from analysis.metrics import BY_ID
from analysis.results import Measurement, Report
from coach.practice.change import Value, change_between
from coach.practice.redo.focus import PARTS_OF

Stretch = tuple[float, float]

_FEWER = frozenset(
    {
        "fillers.filled_pauses_per_minute",
        "fillers.filler_words_per_minute",
        "fillers.bursts_per_minute",
        "pauses.long_mid_clause_per_minute",
        "wording.hedges_per_100_words",
        "wording.verbal_habits_per_minute",
        "wording.restarts_per_100_words",
        "gaze.look_downs_per_minute",
        "posture.self_touch_per_minute",
    }
)
"""Rates whose best value is zero."""
_BEST_SHARE: Mapping[str, float] = {
    "pauses.boundary_pause_share": 1.0,
    "gaze.camera_facing_share": 1.0,
    "loudness.sentence_end_drop_share": 0.0,
    "posture.arms_crossed_share": 0.0,
    "posture.hands_hidden_share": 0.0,
}
_COUNTED = frozenset({"pauses.boundary_pause_share", "loudness.sentence_end_drop_share"})
"""Shares of a number of sentences; the others are shares of time."""
_OF_WORDS, _ALL_WORDS = "_per_100_words", "pace.words_per_minute"
_Z, _NONE_AT_MOST = 1.2816, 2.3026
"""90th percentile of the standard normal distribution, and the upper 80% bound of the expected
number if none was counted (Garwood's interval: -ln 0.1)."""
_CERTAIN = 0.5
"""Probability from which an event counts."""


def _counted(metric: str) -> tuple[str, ...]:
    known = BY_ID.get(metric)
    return known.counts if known else ()


def moments_of(report: Report, metric: str) -> list[float]:
    """Return the marked moments that the measure counts, by time."""
    kinds = _counted(metric)
    return sorted(
        (event.start + event.end) / 2
        for event in report.events
        if event.kind in kinds and (event.probability is None or event.probability >= _CERTAIN)
    )


def events_within(report: Report, metric: str, stretch: Stretch) -> int:
    """Return the number of events that the measure counts in a part of the recording."""
    moments = moments_of(report, metric)
    return bisect_left(moments, stretch[1]) - bisect_left(moments, stretch[0])


def can_be_clear(metric: str, report: Report, stretch: Stretch) -> bool:
    """Return whether the best possible outcome would be a clear change in a part of this length.

    True also for a measure without a best value, and for one that was not measured.
    """
    parts = [report.measurements.get(each) for each in PARTS_OF.get(metric, (metric,))]
    found = [part for part in parts if part is not None]
    share = (stretch[1] - stretch[0]) / max(report.media.duration, 1.0)
    if not found or len(found) < len(parts) or share <= 0:
        return True
    if metric in _FEWER:
        return _is_clear_without_any(metric, report, found, stretch)
    if metric in _BEST_SHARE:
        return _is_clear_at_best(metric, found[0], min(share, 1.0))
    return True


def _is_clear_without_any(
    metric: str, report: Report, found: list[Measurement], stretch: Stretch
) -> bool:
    """Return whether none afterwards would be clearly fewer than in the part now."""
    minutes = report.media.duration / 60
    share = (stretch[1] - stretch[0]) / report.media.duration
    per = minutes
    if metric.endswith(_OF_WORDS):
        words = report.measurements.get(_ALL_WORDS)
        per = (words.n if words else 0) / 100
    counted = sum(part.value for part in found) * per
    count = counted * share
    if any(event.kind in _counted(metric) for event in report.events):
        count = float(events_within(report, metric, stretch))
    lows = [part.interval[0] if part.interval else 0.0 for part in found]
    known = _fewest(counted)
    doubt = min(sum(lows) * per / known, 1.0) if known > 0 else 1.0
    before = Value(value=count, low=doubt * _fewest(count), high=count)
    return change_between(before, Value(value=0.0, low=0.0, high=_NONE_AT_MOST)).is_clear


def _fewest(count: float) -> float:
    """Return the lower 80% bound of an expected number (Wilson and Hilferty's approximation)."""
    if count <= 0:
        return 0.0
    root = 1 - 1 / (9 * count) - _Z / (3 * sqrt(count))
    return max(0.0, count * root * root * root)


def _is_clear_at_best(metric: str, part: Measurement, share: float) -> bool:
    """Return whether all, or none, afterwards would clearly differ from the share in the
    whole take.
    """
    if part.interval is None:
        return True
    best, wider = _BEST_SHARE[metric], 1 / sqrt(share)
    low = part.value - (part.value - part.interval[0]) * wider
    high = part.value + (part.interval[1] - part.value) * wider
    around = 0.0
    if metric in _COUNTED:
        around = _Z**2 / (part.n * share + _Z**2)  # Wilson's interval of none or all
    after = Value(value=best, low=max(best - around, 0.0), high=min(best + around, 1.0))
    return change_between(Value(value=part.value, low=low, high=high), after).is_clear
