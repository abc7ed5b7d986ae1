"""Propagation of a correction to the measures of a stored report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from analysis.ports import Measured
from analysis.results import Event, Measurement, Report, Skipped, Track
from analysis.tidy import tidy_events, tidy_number

_CLOSE = 1e-4
"""Relative tolerance; reports keep five significant digits."""


def propagate(
    report: Report, metrics: tuple[str, ...], before: Measured, after: Measured
) -> Report:
    """Return the report with the analyser's change from `before` to `after` applied.

    `before` is the analyser's result for the stored report; where `after` does not differ, the
    stored value stays. If the report skips all of these measures and the analyser does not, another
    reason forbade them, and they stay skipped.
    """
    if not any(name in report.measurements for name in metrics) and before.measurements:
        return report
    values, skipped = dict(report.measurements), dict(report.skipped)
    for name in metrics:
        found = _found(name, report, before, after)
        values.pop(name, None)
        skipped.pop(name, None)
        if isinstance(found, Measurement):
            values[name] = found
        elif found is not None:
            skipped[name] = found
    return report.model_copy(
        update={
            "measurements": values,
            "skipped": skipped,
            "events": _events(report.events, before.events, after.events, report.media.duration),
            "tracks": _tracks(report, before, after),
        }
    )


def _found(
    name: str, report: Report, before: Measured, after: Measured
) -> Measurement | Skipped | None:
    stored: Measurement | Skipped | None = report.measurements.get(name) or report.skipped.get(name)
    was = before.measurements.get(name) or before.skipped.get(name)
    now = after.measurements.get(name) or after.skipped.get(name)
    if stored is None or was is None or now is None or was == now:
        return stored
    if isinstance(stored, Skipped):
        is_same = isinstance(was, Skipped) and was.reason is stored.reason
        return now if is_same else stored
    if isinstance(now, Skipped) or isinstance(was, Skipped):
        return now if isinstance(was, Measurement) else stored
    return _adjusted_measurement(stored, was, now)


def _adjusted_measurement(stored: Measurement, was: Measurement, now: Measurement) -> Measurement:
    """Return the stored measurement with the change from `was` to `now`: exact if `was` equals
    `stored`, otherwise in proportion.

    They differ if music or noise played a part, since its seconds are not in the report.
    """
    value = _moved_value(stored.value, was.value, now.value)
    low_high = None
    if stored.interval and was.interval and now.interval:
        ends = zip(stored.interval, was.interval, now.interval, strict=True)
        low, high = (tidy_number(_moved_value(*each)) for each in ends)
        low_high = (min(low, value), max(high, value))
    return stored.model_copy(
        update={
            "value": tidy_number(value),
            "n": max(stored.n + now.n - was.n, 0),
            "coverage": min(
                max(tidy_number(stored.coverage + now.coverage - was.coverage), 0.0), 1.0
            ),
            "quality": now.quality if stored.quality is was.quality else stored.quality,
            "interval": low_high,
        }
    )


def _moved_value(stored: float, was: float, now: float) -> float:
    if abs(stored - was) <= _CLOSE * max(abs(stored), abs(was)):
        return now
    return stored * now / was if was else stored + now


_Place = tuple[str, float, float, str]


def _place(event: Event) -> _Place:
    return event.kind, round(event.start, 2), round(event.end, 2), event.label


def _whole(event: Event) -> tuple[_Place, str]:
    return _place(event), str(sorted(event.detail.items()))


def _events(
    stored: tuple[Event, ...], before: Iterable[Event], after: Iterable[Event], duration: float
) -> tuple[Event, ...]:
    """Return the stored events without those no longer found and with the new ones."""
    was, now = tidy_events(before, duration), tidy_events(after, duration)
    gone = Counter(map(_whole, was)) - Counter(map(_whole, now))
    new = Counter(map(_whole, now)) - Counter(map(_whole, was))
    places: Counter[_Place] = Counter()
    for (place, _detail), count in gone.items():
        places[place] += count
    kept = [event for event in stored if not _take_one(places, _place(event))]
    kept += [event for event in now if _take_one(new, _whole(event))]
    return tidy_events(kept, duration)


def _take_one(left: Counter[Any], key: object) -> bool:
    """Return whether the counter has one left, and decrement it."""
    if left[key] <= 0:
        return False
    left[key] -= 1
    return True


def _tracks(report: Report, before: Measured, after: Measured) -> dict[str, Track]:
    changed = {
        name: track
        for name, track in after.tracks.items()
        if name in report.tracks
        and name in before.tracks
        and before.tracks[name].values != track.values
        and len(track.values) == len(report.tracks[name].values)
    }
    return report.tracks | changed
