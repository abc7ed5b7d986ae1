"""Execution of one stage by a worker: lease it, run it, store its result, queue the next ones."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from analysis import pipeline
from analysis.errors import AnalysisError, StageArtefactMissing
from analysis.metrics import PROFILE_FAMILIES
from analysis.ports import GazeCalibration, Limits, Options, Progress
from analysis.results import Note, Reason, Report, Skipped
from coach.accounts.models import Purpose
from coach.accounts.selectors import has_consent, standing_consents
from coach.accounts.trial import most_seconds
from coach.audit.services import record_act
from coach.feedback.corrections import lay_cards
from coach.feedback.models import Run, Stage
from coach.feedback.reports import store_report
from coach.feedback.runs.camera import as_answered_before
from coach.feedback.runs.core_allocation import contention, cores_for
from coach.feedback.runs.costs import StageUsage, learn
from coach.feedback.runs.drafting import store_draft
from coach.feedback.runs.early import is_early, store_early_report
from coach.feedback.runs.fair_queue import shape_for
from coach.feedback.runs.plan import BY_NAME, time_limit
from coach.feedback.runs.stage_leases import (
    CUSTODY_AWAY,
    UNTIL_ROOM,
    StageEnd,
    Wakeup,
    acquire_next,
    finish,
    give_back,
    hold_run,
    postpone_stage,
    queue_next,
    queue_ready,
    report_progress,
)
from coach.feedback.runs.timer import Meter
from coach.lib.files.full_disk import is_full
from coach.lib.words.sentences import note_of, stored
from coach.lib.work.leases import Lease, LeaseLost, TimeLimit, heartbeat
from coach.lib.work.outages import AWAY, retry_while_away
from coach.rehearsals.kinds import Kind
from coach.rehearsals.media_types import content_type
from coach.rehearsals.removals import remove_for_good
from coach.rehearsals.services import note_playback, note_preparation
from coach.storage import StorageUnavailable, WorkDirectory, places, storage
from coach.webhooks.models import Event
from coach.webhooks.services import announce

log = logging.getLogger(__name__)

_PROGRESS_SECONDS = 1.0
"""Shortest interval between two updates of the progress."""

CONSENT_WITHDRAWN, FAILED_THREE_TIMES, DISK_FULL, CONSENT_ASKED = "E150", "E151", "E152", "E153"
"""Ends not caused by the file; the analysis has E100 to E149."""


class RunEnded(Exception):
    """End of a run that cannot continue, with the message for its owner."""

    def __init__(self, *, code: str, note: Note) -> None:
        super().__init__(code, note.code)
        self.code, self.note = code, note


def execute(
    queue: str, *, grace: float = 0.0, at_the_end: Callable[[], None] | None = None
) -> list[Wakeup]:
    """Run the stage of a queue that is due first, if any; return the wakeups to enqueue.

    Safe to call any number of times, from any number of workers. `at_the_end` is called `grace`
    seconds after a stage that hangs has lost its lease.
    """
    lease = retry_while_away(partial(acquire_next, queue))
    if lease is None:
        return []
    stage = retry_while_away(partial(_stage, lease))
    limit = time_limit(stage.name, stage.run.rehearsal.duration)
    try:
        with heartbeat(lease, TimeLimit(limit=limit, grace=grace, at_the_end=at_the_end)):
            return _carry_out(stage, lease)
    except RunEnded as end:
        retry_while_away(partial(_end_run, stage, lease, end))
    except StorageUnavailable as problem:
        log.warning("stage %s waits until recordings can be reached: %s", stage.pk, problem)
        retry_while_away(partial(postpone_stage, lease, why=Note.of(CUSTODY_AWAY)))
    except LeaseLost:
        log.info("stage %s went to another worker, or its run is gone", stage.pk)
    retry_while_away(partial(_clear_if_deleted, stage))
    return []


def _stage(lease: Lease) -> Stage:
    found: Stage = Stage.objects.select_related("run__rehearsal__owner").get(pk=str(lease.key))
    return found


def _carry_out(stage: Stage, lease: Lease) -> list[Wakeup]:
    """Run the stage and store its result; a failure to store is retried like any failure."""
    meter = Meter()
    outcome = _attempt(stage, lease)
    if outcome is not None:
        outcome = replace(outcome, processor_seconds=meter.processor_seconds)
    try:
        wakeups = retry_while_away(partial(_conclude, stage, lease, outcome))
    except (LeaseLost, RunEnded, StorageUnavailable):
        raise
    except AWAY as error:
        if is_full(error):
            raise _disk_is_full() from error
        raise
    except Exception:  # a rule may do to a report what nobody foresaw
        log.exception("stage %s (%s) could not be written down", stage.pk, stage.name)
        return retry_while_away(partial(_conclude, stage, lease, None))
    _learn(stage, outcome, meter)
    return wakeups


def _attempt(stage: Stage, lease: Lease) -> StageEnd | None:
    """Run the stage once. None after a failure that may be temporary and is retried."""
    retry_while_away(partial(_check_consent, stage))
    if stage.attempts > settings.STAGE_MAX_ATTEMPTS:
        return _given_up(stage)
    try:
        return _STEPS.get(stage.name, _analysis_step)(stage, lease)
    except AnalysisError as error:
        if BY_NAME[stage.name].role == "opens":
            raise RunEnded(code=error.code, note=note_of(error)) from error
        return _failed(stage, note_of(error))
    except (LeaseLost, RunEnded, StorageUnavailable):
        raise
    except Exception as error:  # a worker outlives whatever one recording does to a library
        log.exception("stage %s (%s) failed", stage.pk, stage.name)
        if is_full(error):
            raise _disk_is_full() from error
        return None


def _disk_is_full() -> RunEnded:
    """Return the end of a run for lack of disk space; an immediate retry would fail too."""
    return RunEnded(code=DISK_FULL, note=Note.of("disk_full"))


def _check_consent(stage: Stage) -> None:
    owner = stage.run.rehearsal.owner
    if has_consent(owner, purpose=Purpose.ANALYSIS):
        return
    if Purpose.ANALYSIS in standing_consents(owner):
        raise RunEnded(code=CONSENT_ASKED, note=Note.of("consent_asked"))
    raise RunEnded(code=CONSENT_WITHDRAWN, note=Note.of("consent_withdrawn"))


def _given_up(stage: Stage) -> StageEnd:
    if BY_NAME[stage.name].role in {"opens", "concludes"}:
        raise RunEnded(code=FAILED_THREE_TIMES, note=Note.of("failed_three_times"))
    return _failed(stage, Note.of("gave_up"))


def _failed(stage: Stage, note: Note) -> StageEnd:
    """Store the reason for `assemble`, so that the report is made without this part."""
    if BY_NAME[stage.name].role == "measures":
        skipped = Skipped.because(Reason.STAGE_FAILED, note.code, **note.values)
        with _bench(stage) as bench:
            bench.fetch(pipeline.first_inputs(stage.name).artefacts)
            pipeline.record_skipped(bench.workdir, stage.name, skipped)
            bench.store()
    return StageEnd(state=Stage.State.FAILED, problem=note)


def _options(run: Run) -> Options:
    stored = dict(run.options)
    families = stored.pop("disabled_families", [])
    skip = frozenset(name for family in families for name in PROFILE_FAMILIES[family])
    calibration = stored.pop("calibration", None)
    gaze = stored.pop("gaze_calibration", None)
    left_out = tuple((start, end) for start, end in stored.pop("left_out", []))
    return Options(
        skip=skip,
        calibration=calibration and tuple(calibration),
        gaze_calibration=gaze and GazeCalibration(**gaze),
        left_out=left_out,
        **stored,
    )


def _limits(run: Run) -> Limits:
    owner = run.rehearsal.owner
    return Limits(max_seconds=most_seconds(owner), max_bytes=settings.MAX_UPLOAD_BYTES)


def _throttled(stage: Stage, lease: Lease) -> Callable[[float], None]:
    """Return a callback that stores the progress, and stops the stage soon after consent is
    withdrawn.
    """
    last = 0.0

    def progress(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PROGRESS_SECONDS:
            last = now
            _look_up(stage, lease, share)

    return progress


def _look_up(stage: Stage, lease: Lease, share: float) -> None:
    try:
        report_progress(lease, share)
        _check_consent(stage)
    except AWAY:  # the work goes on meanwhile; the next report is a second away
        connection.close()


def _bench(stage: Stage) -> AbstractContextManager[WorkDirectory]:
    """Return the run's work directory on this worker; local files are deleted when it closes."""
    return storage().work_directory(stage.run.rehearsal.recording_id, stage.run_id)


def lay_out(bench: WorkDirectory, name: str, options: Options) -> None:
    """Fetch the inputs of a stage, and the recording only if the stage opens it."""
    first = pipeline.first_inputs(name)
    bench.fetch(first.artefacts)
    further = pipeline.further_inputs(name, bench.workdir, options)
    bench.fetch(further.artefacts)
    if first.recording or further.recording:
        bench.fetch_media()


def make_copy(bench: WorkDirectory, options: Options, limits: Limits, progress: Progress) -> Path:
    """Create the playback copy of a recording and return its path.

    A recording that was analysed before every recording had a copy has no artefacts any more, and
    is read again. Raises AnalysisError, StorageUnavailable and Gone.
    """
    try:
        lay_out(bench, pipeline.PLAYBACK, options)
    except StageArtefactMissing:
        bench.fetch_media()
        return pipeline.copy_again(
            media_path=bench.media_path, workdir=bench.workdir, limits=limits
        )
    return pipeline.run_playback(
        media_path=bench.media_path, workdir=bench.workdir, progress=progress
    )


def _analysis_step(stage: Stage, lease: Lease) -> StageEnd:
    with _bench(stage) as bench:
        return _measure(stage, lease, bench)


def _measure(stage: Stage, lease: Lease, bench: WorkDirectory) -> StageEnd:
    options = _options(stage.run)
    lay_out(bench, stage.name, options)
    stage.cores = retry_while_away(partial(cores_for, stage, lease))
    record = pipeline.run_stage(
        stage.name,
        media_path=bench.media_path,
        workdir=bench.workdir,
        options=options,
        limits=_limits(stage.run),
        progress=_throttled(stage, lease),
        cores=stage.cores,
    )
    outcome = StageEnd(
        state=Stage.State.DONE,
        seconds=record.seconds,
        version=record.version,
        report=pipeline.load_stage_report(bench.workdir) if stage.name == "assemble" else None,
    )
    bench.store()
    return outcome


def _assemble(stage: Stage, lease: Lease) -> StageEnd:
    """Make the report, with the slides that the recorder timed."""
    find_slides = import_string(settings.SLIDES_OF_A_TAKE)
    slides = retry_while_away(partial(find_slides, stage.run.rehearsal))
    with _bench(stage) as bench:
        if slides is not None:
            pipeline.store_slides(bench.workdir, slides)
        return _measure(stage, lease, bench)


def _prepare(stage: Stage, lease: Lease) -> StageEnd:
    rehearsal = stage.run.rehearsal
    with _bench(stage) as bench:
        outcome = _measure(stage, lease, bench)
        prepared = pipeline.load_prepared(bench.workdir)
        if prepared.poster_path is not None and rehearsal.kind == Kind.TAKE:
            storage().keep(prepared.poster_path, places.poster(rehearsal.pk))
        shape = pipeline.shape_of(bench.workdir, _options(stage.run))
    has_video = prepared.media.video is not None
    retry_while_away(
        partial(
            note_preparation,
            rehearsal=rehearsal,
            duration=prepared.media.duration,
            has_video=has_video,
            playback_type=content_type(prepared.media.container, has_video=has_video),
            has_poster=prepared.poster_path is not None and rehearsal.kind == Kind.TAKE,
        )
    )
    stage.run.shape = shape.as_document()
    retry_while_away(partial(Run.objects.filter(pk=stage.run_id).update, shape=stage.run.shape))
    return outcome


def _transcribe(stage: Stage, lease: Lease) -> StageEnd:
    """Write down the words, and measure what they and the voice tell while others watch."""
    with _bench(stage) as bench:
        outcome = _measure(stage, lease, bench)
        early = _early_report(stage, bench) if retry_while_away(partial(is_early, stage)) else None
    return replace(outcome, early_report=early)


def _early_report(stage: Stage, bench: WorkDirectory) -> Report:
    bench.fetch(pipeline.first_inputs("assemble").artefacts)
    return pipeline.early_report(bench.workdir, _options(stage.run))


def _playback(stage: Stage, lease: Lease) -> StageEnd:
    """Create the copy that everyone except the owner gets, and that every browser plays."""
    rehearsal = stage.run.rehearsal
    with _bench(stage) as bench:
        meter = Meter()
        copy = make_copy(bench, _options(stage.run), _limits(stage.run), _throttled(stage, lease))
        seconds = meter.seconds
        kind = content_type(copy.suffix.lstrip("."), has_video=bool(rehearsal.has_video))
        storage().keep(copy, places.copy_to_play(rehearsal.pk))
    retry_while_away(partial(note_playback, rehearsal=rehearsal, playback_type=kind))
    return StageEnd(state=Stage.State.DONE, seconds=seconds)


_STEPS: dict[str, Callable[[Stage, Lease], StageEnd]] = {
    "prepare": _prepare,
    "transcribe": _transcribe,
    "playback": _playback,
    "assemble": _assemble,
    # The draft is created in the transaction that finishes the stage.
    "draft": lambda _stage, _lease: StageEnd(state=Stage.State.DONE),
}


@transaction.atomic
def _conclude(stage: Stage, lease: Lease, outcome: StageEnd | None) -> list[Wakeup]:
    run = hold_run(stage.run_id)
    if run is None:
        raise LeaseLost
    if outcome is None:
        give_back(lease)
        return [Wakeup(queue=stage.queue)]
    _store_reports(run, outcome)
    if stage.name == "draft":
        if run.rehearsal.kind == Kind.TAKE:
            lay_cards(store_draft(run=run))
        else:
            for name in settings.AFTER_SHORT_RECORDINGS:
                transaction.on_commit(partial(import_string(name), run), robust=True)
        run.state = Run.State.DONE
        run.finished_at = timezone.now()
        run.early_report = None
        run.save(update_fields=["state", "finished_at", "early_report"])
        record_act(action="feedback.run_finished", target=run)
        if run.rehearsal.kind == Kind.TAKE:
            announce(event=Event.REPORT_READY, data={"take_id": str(run.rehearsal_id)})
    finish(lease, outcome)
    wakeups = [*queue_ready(run), *queue_next(run.rehearsal.owner_id)]
    _clean_up(run)
    return wakeups


def _store_reports(run: Run, outcome: StageEnd) -> None:
    if outcome.early_report is not None:
        store_early_report(run, outcome.early_report)
    if outcome.report is not None:
        store_report(run, as_answered_before(run.rehearsal, outcome.report))


def _learn(stage: Stage, outcome: StageEnd | None, meter: Meter) -> None:
    """Record the cost of a stage, for later plans and estimates; errors here never fail the stage.

    No reason to fail a stage.
    """
    if outcome is None or outcome.state != Stage.State.DONE or stage.attempts > 1:
        return
    try:
        learn(
            StageUsage(
                stage=stage.name,
                shape=shape_for(stage.run),
                cores=stage.cores,
                processor_seconds=meter.processor_seconds,
                seconds=meter.seconds,
                contention=contention(stage),
            )
        )
    except AWAY:
        connection.close()


def _clean_up(run: Run) -> None:
    """Delete landmarks and sound series once every stage is finished: only the report is kept."""
    if run.stages.exclude(state__in=Stage.FINISHED).exists():
        return
    remove_for_good(places.run_place(run.rehearsal.recording_id, run.pk))


@transaction.atomic
def _end_run(stage: Stage, lease: Lease, end: RunEnded) -> None:
    if end.code == DISK_FULL and BY_NAME[stage.name].role == "beside":
        postpone_stage(lease, why=end.note, pause=UNTIL_ROOM)
        return
    run = hold_run(stage.run_id)
    if run is None:
        return
    try:
        finish(lease, StageEnd(state=Stage.State.FAILED, problem=end.note))
    except LeaseLost:
        return
    # Two stages may end the run at once, and a report that exists is being read already.
    if run.state == Run.State.RUNNING:
        run.state = Run.State.FAILED
        run.error_code, run.problem = end.code, stored(end.note)
        run.early_report = None
        run.finished_at = timezone.now()
        run.save()
        record_act(action="feedback.run_failed", target=run, code=end.code)
    remove_for_good(places.run_place(run.rehearsal.recording_id, run.pk))


def _clear_if_deleted(stage: Stage) -> None:
    """Delete the files of a take that its owner deleted during the stage."""
    if not Run.objects.filter(pk=stage.run_id).exists():
        take = stage.run.rehearsal
        if take.recording_id == take.pk:
            remove_for_good(places.take_place(take.pk))
        else:
            remove_for_good(places.run_place(take.recording_id, stage.run_id))
