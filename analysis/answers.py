"""Camera answer: switches a report to the readings for another answer, without a new analysis."""

from __future__ import annotations

from typing import TypeVar

from analysis.results import CameraAnswer, GazeReading, Report

_V = TypeVar("_V")


def with_camera_answer(report: Report, answer: CameraAnswer) -> Report:
    """Return the report for this answer; the same report if it asks nothing or already has the
    answer.
    """
    question = report.camera_question
    if question is None or question.answer == answer:
        return report
    before, now = question.readings[question.answer], question.readings[answer]
    metrics = {name for one in question.readings.values() for name in _metrics(one)}
    kept = [event for event in report.events if event not in before.events]
    return report.model_copy(
        update={
            "measurements": _changed(report.measurements, now.measurements, without=metrics),
            "skipped": _changed(report.skipped, now.skipped, without=metrics),
            "tracks": _changed(report.tracks, now.tracks, without=set(before.tracks)),
            "events": tuple(
                sorted(
                    (*kept, *now.events),
                    key=lambda event: (event.start, event.end, event.kind, event.label),
                )
            ),
            "gaze_zero": now.gaze_zero,
            "camera_question": question.model_copy(update={"answer": answer}),
        }
    )


def _metrics(reading: GazeReading) -> set[str]:
    return set(reading.measurements) | set(reading.skipped)


def _changed(values: dict[str, _V], now: dict[str, _V], *, without: set[str]) -> dict[str, _V]:
    return {name: value for name, value in values.items() if name not in without} | now
