"""Tidying of the analysers' results: rounded and ordered, so that the same input gives the same
document.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from analysis.ports import Span
from analysis.results import CameraQuestion, Event, Measurement, Track, Unwritten, Word

_TIME_DIGITS = 3
_VALUE_DIGITS = 5
"""Significant digits: more than the accuracy of any measure, few enough to read."""


def tidy_number(value: float) -> float:
    """Round the value to a few significant digits."""
    return float(f"{value:.{_VALUE_DIGITS}g}")


def tidy_measurement(measurement: Measurement) -> Measurement:
    """Return the measurement rounded to meaningful digits."""
    interval = measurement.interval
    return measurement.model_copy(
        update={
            "value": tidy_number(measurement.value),
            "coverage": min(1.0, max(0.0, tidy_number(measurement.coverage))),
            "interval": interval and (tidy_number(interval[0]), tidy_number(interval[1])),
        }
    )


def tidy_track(track: Track) -> Track:
    """Return the track rounded to meaningful digits; values that are not finite become None."""
    values = tuple(
        None if value is None or not math.isfinite(value) else tidy_number(value)
        for value in track.values
    )
    return track.model_copy(update={"start": round(track.start, _TIME_DIGITS), "values": values})


def tidy_events(events: Iterable[Event], duration: float) -> tuple[Event, ...]:
    """Return the events inside the recording, in time order, ties by kind and label."""
    inside = (
        event.model_copy(
            update={
                **_clamped(event.start, event.end, duration),
                "probability": None
                if event.probability is None
                else tidy_number(event.probability),
                "detail": _tidy_detail(event.detail),
            }
        )
        for event in events
        if event.start < duration
    )
    return tuple(
        sorted(inside, key=lambda event: (event.start, event.end, event.kind, event.label))
    )


def tidy_question(question: CameraQuestion | None, duration: float) -> CameraQuestion | None:
    """Return the question with tidied readings, as in a report; None stays None."""
    if question is None:
        return None
    readings = {
        answer: reading.model_copy(
            update={
                "measurements": {k: tidy_measurement(v) for k, v in reading.measurements.items()},
                "events": tidy_events(reading.events, duration),
                "tracks": {k: tidy_track(v) for k, v in reading.tracks.items()},
            }
        )
        for answer, reading in question.readings.items()
    }
    return question.model_copy(
        update={"readings": readings, "share": min(1.0, tidy_number(question.share))}
    )


def tidy_words(words: Iterable[Word], duration: float) -> tuple[Word, ...]:
    """Return the words inside the recording, in time order."""
    return tuple(
        word.model_copy(
            update={
                **_clamped(word.start, word.end, duration),
                "text": word.text.strip(),
                "probability": tidy_number(word.probability),
            }
        )
        for word in words
        if word.text.strip()
    )


def tidy_unwritten(passages: Iterable[Unwritten], duration: float) -> tuple[Unwritten, ...]:
    """Return the passages inside the recording, in time order."""
    return tuple(
        each.model_copy(update=_clamped(each.start, each.end, duration))
        for each in passages
        if each.start < duration
    )


def tidy_spans(spans: Iterable[Span], duration: float) -> tuple[Span, ...]:
    """Return the spans inside the recording, without empty ones."""
    cut = (_clamped(start, end, duration) for start, end in spans)
    return tuple((span["start"], span["end"]) for span in cut if span["start"] < span["end"])


def _clamped(start: float, end: float, duration: float) -> dict[str, float]:
    first = round(min(max(start, 0.0), duration), _TIME_DIGITS)
    last = round(min(max(end, 0.0), duration), _TIME_DIGITS)
    return {"start": first, "end": max(first, last)}


def _tidy_detail(detail: Mapping[str, Any]) -> dict[str, Any]:
    tidied: dict[str, Any] = {}
    for name, value in detail.items():
        if isinstance(value, float):
            tidied[name] = tidy_number(value) if math.isfinite(value) else None
        else:
            tidied[name] = value
    return tidied
