"""Stages of an analysis, each of which can run in its own process."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from analysis.errors import ModelUnavailable
from analysis.pipeline import artefacts, work
from analysis.pipeline.artefacts import Done
from analysis.pipeline.work import Job, Work
from analysis.ports import Limits, Options, Prepared, Progress
from analysis.results import Reason, Report, Skipped, StageRecord
from analysis.stage_roles import BY_NAME, NEEDS

log = logging.getLogger(__name__)

_SECONDS_DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineStage:
    """One step of an analysis; purpose and dependencies are in `analysis.stage_roles`.

    `matters` are the options that change its artefact. `families` are the metrics that depend on
    it: if all are switched off, it does not run; empty means it always runs. `version` changes
    whenever the same input would give another artefact.
    """

    name: str
    version: str
    matters: tuple[str, ...]
    work: Work
    families: frozenset[str] = frozenset()

    @property
    def needs(self) -> tuple[str, ...]:
        """Return the stages that must have ended before."""
        return NEEDS[self.name]

    @property
    def input(self) -> str:
        """Return what the recording must contain for this stage."""
        return BY_NAME[self.name].input


STAGES: tuple[PipelineStage, ...] = (
    PipelineStage(name="prepare", version="5", matters=(), work=work.prepare),
    PipelineStage(
        name="transcribe",
        version="18",
        matters=("language", "engine", "size", "start", "end", "left_out", "calibration"),
        work=work.transcribe,
        families=frozenset({"pace", "pauses", "fillers", "wording", "structure", "loudness"}),
    ),
    PipelineStage(
        name="listen",
        version="3",
        matters=("start", "end", "left_out", "calibration"),
        work=work.listen,
        families=frozenset({"fillers", "pitch", "loudness", "signal"}),
    ),
    PipelineStage(
        name="watch",
        version="9",
        matters=("start", "end", "left_out", "calibration", "skip"),
        work=work.watch,
        families=frozenset({"gaze", "head", "posture", "gesture"}),
    ),
    PipelineStage(
        name="assemble",
        version="42",
        matters=tuple(item.name for item in fields(Options)),
        work=work.assemble,
    ),
)


def _silent(_share: float) -> None:
    """Ignore progress."""


def stage_named(name: str) -> PipelineStage:
    """Return the stage of that name. Raises KeyError."""
    return {stage.name: stage for stage in STAGES}[name]


def stage_key(media_sha256: str, stage: str, options: Options) -> str:
    """Return a hash of everything that determines a stage's artefact.

    Two runs with the same key make the same artefact, so a finished stage need not run again.
    """
    chosen = stage_named(stage)
    decides = [media_sha256, chosen.name, chosen.version, _options_of(chosen, options)]
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def run_stage(
    name: str,
    *,
    media_path: Path,
    workdir: Path,
    options: Options,
    limits: Limits | None = None,
    progress: Progress = _silent,
    cores: int = 1,
    opened: Callable[[], None] | None = None,
) -> StageRecord:
    """Run one stage and leave its artefact, or the reason for none, in `workdir`.

    Safe to repeat: a finished stage with the same media, version and options stays as it is;
    `assemble` is quick and always runs. `cores` changes the speed, never the result.

    `prepare` calls `opened` when it has opened the recording and left a description without speech;
    stages that need no speech (`stage_roles.EARLY`) may start then. Use it only with exclusive
    access to `workdir`. Without `opened`, a stage leaves its artefact when it is finished.

    Raises an AnalysisError for a problem with the file, and StageArtefactMissing if a required
    stage has not run.
    """
    stage = stage_named(name)
    job = Job(
        media_path=media_path,
        workdir=workdir,
        options=options,
        limits=limits or Limits(),
        record=StageRecord(version=stage.version, seconds=0.0, options=_options_of(stage, options)),
        progress=progress,
        cores=cores,
        opened=opened,
    )
    prepared = artefacts.load_prepared(workdir) if stage.needs else None
    done = artefacts.load_done(workdir, name)
    if done is not None and name != "assemble":
        sha256 = prepared.media.sha256 if prepared else work.media_sha256(media_path)
        if done.key == stage_key(sha256, name, options):
            if opened is not None:
                opened()
            return done.record
    if prepared is None:
        _remove_other_artefacts(workdir)
    skipped = reason_to_skip(stage, options, prepared) if prepared else None
    if skipped is None:
        try:
            return _run(stage, job)
        except ModelUnavailable as error:
            # The report looks complete without it, so the operator is informed here.
            log.error("%s is left out of a report: %s %s", name, error.sentence, error.hint)  # noqa: TRY400
            skipped = Skipped.because(Reason.MODEL_MISSING, error.says, **error.values)
    artefacts.record_skipped(workdir, name, skipped)
    return job.record


def early_report(workdir: Path, options: Options) -> Report:
    """Return the report on the parts that are there now; the stages still to come are not awaited.

    Raises StageArtefactMissing if `prepare` has not run.
    """
    stage = stage_named("assemble")
    record = StageRecord(version=stage.version, seconds=0.0, options=_options_of(stage, options))
    return work.measure(workdir, options=options, record=record)


def _remove_other_artefacts(workdir: Path) -> None:
    """Remove artefacts of other stages, made from another recording or by an older version."""
    for stage in STAGES:
        artefacts.forget(workdir, stage.name)


def _run(stage: PipelineStage, job: Job) -> StageRecord:
    work.limit_threads()
    started = time.perf_counter()
    models = stage.work(job)
    seconds = round(time.perf_counter() - started, _SECONDS_DIGITS)
    record = job.record.model_copy(update={"seconds": seconds})
    sha256 = artefacts.load_prepared(job.workdir).media.sha256
    key = stage_key(sha256, stage.name, job.options)
    artefacts.record_done(job.workdir, stage.name, Done(key=key, record=record, models=models))
    return record


def _options_of(stage: PipelineStage, options: Options) -> dict[str, Any]:
    values = {name: getattr(options, name) for name in stage.matters}
    return {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in values.items()
    }


def reason_to_skip(stage: PipelineStage, options: Options, prepared: Prepared) -> Skipped | None:
    """Return why a stage has nothing to do for this recording, otherwise None."""
    if stage.families and stage.families <= options.skip:
        return Skipped.because(Reason.DISABLED_BY_PROFILE, "switched_off")
    if stage.input == "picture":
        return work.no_picture(prepared)
    if stage.input == "speech":
        return work.no_speech(prepared, options)
    return None
