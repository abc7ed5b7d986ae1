"""A report without look-aways that were none: there the speaker faced the camera."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.analysers.gaze import AWAYS, CLOSING, DOWNS, EDGE_SECONDS, OPENING, SHARE
from analysis.ports import Span
from analysis.results import CameraQuestion, Event, Measurement, Report, Track
from analysis.talk import spans
from analysis.talk.statistics import rate_interval
from analysis.tidy import tidy_number

FACING = "gaze.camera_facing"


def without_look_aways(report: Report, wrong: Sequence[Event]) -> Report:
    """Rates and shares of facing the camera as they are if these were no look-aways.

    Shares gain the seconds of speech in which somebody seemed turned away; how sure they are (the
    width of the interval) stays, since where the lens is has not become any clearer.
    """
    if not wrong:
        return report
    faced = [(event.start, event.end) for event in wrong]
    values = dict(report.measurements)
    values |= _rates(values, wrong)
    for name, window in _windows(report).items():
        if name in values:
            values[name] = _more_facing(values[name], faced, window, report.speech)
    tracks = dict(report.tracks)
    if FACING in tracks:
        tracks[FACING] = _all_facing(tracks[FACING], faced)
    events = tuple(event for event in report.events if event not in wrong)
    changed = report.model_copy(update={"measurements": values, "tracks": tracks, "events": events})
    return changed.model_copy(update={"camera_question": _question(changed)})


def _rates(values: dict[str, Measurement], wrong: Sequence[Event]) -> dict[str, Measurement]:
    downs = sum(event.label == "down" for event in wrong)
    found = {}
    for name, fewer in ((AWAYS, len(wrong)), (DOWNS, downs)):
        stored = values.get(name)
        if stored is None or stored.value <= 0 or fewer == 0:
            continue
        minutes, count = stored.n / stored.value, max(stored.n - fewer, 0)
        low, high = rate_interval(count, minutes)
        found[name] = stored.model_copy(
            update={
                "value": tidy_number(count / minutes),
                "n": count,
                "interval": (tidy_number(low), tidy_number(high)),
            }
        )
    return found


def _windows(report: Report) -> dict[str, Span]:
    """In which part of the talk each share is measured."""
    pieces = report.speech or ((0.0, report.media.duration),)
    first, last = pieces[0][0], pieces[-1][1]
    return {
        SHARE: (first, last),
        OPENING: (first, first + EDGE_SECONDS),
        CLOSING: (last - EDGE_SECONDS, last),
    }


def _more_facing(
    stored: Measurement, faced: Sequence[Span], window: Span, speech: Sequence[Span]
) -> Measurement:
    inside = spans.clipped(speech, window) if speech else (window,)
    seconds = stored.coverage * spans.total(inside)
    gained = sum(spans.overlap(piece, spans.merged(faced)) for piece in inside)
    if seconds <= 0 or gained <= 0:
        return stored
    value = min(stored.value + gained / seconds, 1.0)
    moved = value - stored.value
    low, high = stored.interval or (stored.value, stored.value)
    interval = (tidy_number(min(low + moved, 1.0)), tidy_number(min(high + moved, 1.0)))
    return stored.model_copy(
        update={"value": tidy_number(value), "interval": interval if stored.interval else None}
    )


def _all_facing(track: Track, faced: Sequence[Span]) -> Track:
    """1 where all of a cell was faced, more than before where some of it was."""
    values = []
    for index, value in enumerate(track.values):
        start = track.start + index * track.step
        share = spans.overlap((start, start + track.step), spans.merged(faced)) / track.step
        values.append(None if value is None else tidy_number(min(value + share, 1.0)))
    return track.model_copy(update={"values": tuple(values)})


def _question(report: Report) -> CameraQuestion | None:
    """The reading of the answer that holds is the report's own, and changes with it."""
    question = report.camera_question
    if question is None:
        return None
    reading = question.readings[question.answer]
    own = reading.model_copy(
        update={
            "events": tuple(event for event in reading.events if event in report.events),
            "measurements": {name: report.measurements[name] for name in reading.measurements},
            "tracks": {name: report.tracks[name] for name in reading.tracks},
        }
    )
    return question.model_copy(update={"readings": {**question.readings, question.answer: own}})
