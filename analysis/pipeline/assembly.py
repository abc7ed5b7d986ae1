"""Report assembly: every metric of the catalogue is measured or skipped, exactly once."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis import __version__
from analysis.events import EVENT_FAMILIES
from analysis.metrics import METRICS
from analysis.pipeline import artefacts
from analysis.ports import Measured, Options, Prepared
from analysis.registry import ANALYSERS, Analyser
from analysis.results import (
    CameraQuestion,
    Event,
    GazeZero,
    Measurement,
    Reason,
    Report,
    Skipped,
    StageRecord,
    Track,
)
from analysis.stage_roles import OPENING, PARTS
from analysis.talk.build import build_talk
from analysis.talk.talk import Talk
from analysis.tidy import (
    tidy_events,
    tidy_measurement,
    tidy_question,
    tidy_spans,
    tidy_track,
    tidy_unwritten,
    tidy_words,
)

_log = logging.getLogger(__name__)

_NOT_RUN = Skipped.because(Reason.STAGE_FAILED, "not_run")
_FAILED = Skipped.because(Reason.STAGE_FAILED, "measure_failed")
_DISABLED = Skipped.because(Reason.DISABLED_BY_PROFILE, "switched_off")


@dataclass(slots=True)
class _Collected:
    """Results of the analysers so far."""

    measurements: dict[str, Measurement] = field(default_factory=dict)
    skipped: dict[str, Skipped] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    tracks: dict[str, Track] = field(default_factory=dict)
    gaze_zero: GazeZero | None = None
    camera_question: CameraQuestion | None = None


def assemble_report(workdir: Path, *, options: Options, record: StageRecord) -> Report:
    """Measure everything from the artefacts in `workdir` and return the report.

    Missing artefacts lead to skipped metrics. Raises StageArtefactMissing only if `prepare` has not
    run.
    """
    started = time.perf_counter()
    prepared = artefacts.load_prepared(workdir)
    talk = _talk(workdir, prepared, options)
    collected = _collect(talk)
    duration = prepared.media.duration
    records, models = _records(workdir)
    seconds = round(time.perf_counter() - started, 3)
    records["assemble"] = record.model_copy(update={"seconds": seconds})
    return Report(
        media=prepared.media,
        language=talk.language,
        speech=tidy_spans(talk.speech, duration),
        words=tidy_words(talk.words, duration),
        unwritten=tidy_unwritten(talk.unwritten, duration),
        events=tidy_events(collected.events, duration),
        measurements=collected.measurements,
        skipped=collected.skipped,
        tracks=collected.tracks,
        gaze_zero=collected.gaze_zero,
        camera_question=tidy_question(collected.camera_question, duration),
        stages=records,
        models=models,
        rostrum=__version__,
    )


def _talk(workdir: Path, prepared: Prepared, options: Options) -> Talk:
    absent = _absence_reasons(workdir, prepared)
    talk = build_talk(
        prepared=prepared,
        transcript=None if "words" in absent else artefacts.load_transcript(workdir),
        sound=None if "sound" in absent else artefacts.load_sound(workdir),
        sight=None if "sight" in absent else artefacts.load_sight(workdir),
        options=options,
        absent=absent,
    )
    return replace(talk, slides=artefacts.load_slides(workdir))


def _absence_reasons(workdir: Path, prepared: Prepared) -> dict[str, Skipped]:
    """Return why each missing part is missing, by the names used in `Talk.absent`."""
    absent = {
        part: artefacts.load_skipped(workdir, stage) or _NOT_RUN
        for stage, part in PARTS.items()
        if artefacts.load_done(workdir, stage) is None
    }
    if prepared.audio_path is None:
        absent["audio"] = absent.get("sound", _NOT_RUN)
    return absent


def _records(workdir: Path) -> tuple[dict[str, StageRecord], dict[str, str]]:
    records: dict[str, StageRecord] = {}
    models: dict[str, str] = {}
    for stage in (*OPENING, *PARTS):
        done = artefacts.load_done(workdir, stage)
        if done is not None:
            records[stage] = done.record
            models |= done.models
    return records, dict(sorted(models.items()))


def _collect(talk: Talk) -> _Collected:
    """Run each analyser, and make sure that every metric is either measured or skipped."""
    collected = _Collected()
    off = talk.options.skip
    for analyser in ANALYSERS:
        if all(_family(metric) in off for metric in analyser.provides):
            continue
        _take(collected, _measured(analyser, talk), off)
    for metric in METRICS:
        if metric.family in off:
            collected.measurements.pop(metric.id, None)
            collected.skipped[metric.id] = _DISABLED
        elif metric.id not in collected.measurements:
            collected.skipped.setdefault(metric.id, _FAILED)
        else:
            collected.skipped.pop(metric.id, None)
    return collected


def _take(collected: _Collected, measured: Measured, off: frozenset[str]) -> None:
    for name, measurement in measured.measurements.items():
        collected.measurements[name] = tidy_measurement(measurement)
    collected.skipped.update(measured.skipped)
    collected.events += [
        event for event in measured.events if EVENT_FAMILIES.get(event.kind) not in off
    ]
    collected.gaze_zero = collected.gaze_zero or measured.gaze_zero
    collected.camera_question = collected.camera_question or measured.camera_question
    for name, track in measured.tracks.items():
        if _family(name) not in off:
            collected.tracks[name] = tidy_track(track)


def _measured(analyser: Analyser, talk: Talk) -> Measured:
    try:
        return analyser.measure(talk)
    except Exception:  # noqa: BLE001 - one measure that fails must not take the others with it
        _log.exception("analyser %s failed", analyser.name)
        return Measured(skipped=dict.fromkeys(analyser.provides, _FAILED))


def _family(name: str) -> str:
    return name.split(".", 1)[0]
