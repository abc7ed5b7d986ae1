"""Correction of look-aways: the speaker faced the camera there."""

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
    """Return the report with rates and shares of facing recalculated without these look-aways.

    Shares gain the corrected seconds of speech. Their certainty (width of the interval) does not
    change, since the position of the lens is no better known.
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
    """Return the part of the talk in which each share is measured, in seconds."""
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
    """Return the track with the share of each cell increased by the part that was
    faced, up to 1.
    """
    values = []
    for index, value in enumerate(track.values):
        start = track.start + index * track.step
        share = spans.overlap((start, start + track.step), spans.merged(faced)) / track.step
        values.append(None if value is None else tidy_number(min(value + share, 1.0)))
    return track.model_copy(update={"values": tuple(values)})


def _question(report: Report) -> CameraQuestion | None:
    """Return the camera question with its current reading updated from the report, or None."""
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
