"""What a worker does with one stage: claim it, do it, write down how it ended, say what is next."""

from __future__ import annotations

import errno
import logging
import shutil
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis import pipeline
from analysis.errors import AnalysisError
from analysis.metrics import PROFILE_FAMILIES
from analysis.ports import Limits, Options
from analysis.results import Reason, Report, Skipped
from coach.accounts.models import Purpose
from coach.accounts.selectors import has_consent
from coach.audit.services import record_act
from coach.feedback.models import Run, Stage
from coach.feedback.runs.claims import (
    Bell,
    Outcome,
    bell_for,
    claim,
    finish,
    give_back,
    hold_run,
    queue_next,
    queue_ready,
    report_progress,
)
from coach.feedback.runs.drafting import store_draft
from coach.feedback.runs.plan import time_limit
from coach.lib.leases import Claimed, LeaseLost, heartbeat
from coach.lib.outages import AWAY, outlast
from coach.rehearsals.media_types import content_type
from coach.rehearsals.services import note_playback, note_preparation

log = logging.getLogger(__name__)

_PROGRESS_SECONDS = 1.0
"""How often the share done is written to the database at most."""


_FULL = {errno.ENOSPC, errno.EDQUOT}


class RunOver(Exception):
    """The run cannot go on; what the person should know about it."""

    def __init__(self, *, code: str, sentence: str, hint: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence, self.hint = code, sentence, hint


def execute(stage_id: int) -> list[Bell]:
    """Do one stage if it is free; returns the stages that are ready now.

    Safe to call any number of times for the same stage, from any number of workers.
    """
    claimed = outlast(partial(claim, stage_id))
    if claimed is None:
        return []
    stage = outlast(partial(_stage, stage_id))
    try:
        with heartbeat(claimed, limit=time_limit(stage.name, stage.run.rehearsal.duration)):
            return _carry_out(stage, claimed)
    except RunOver as end:
        outlast(partial(_end_run, stage, claimed, end))
    except LeaseLost:
        log.info("stage %s went to another worker, or its run is gone", stage_id)
    outlast(partial(_clear_if_deleted, stage))
    return []


def _stage(stage_id: int) -> Stage:
    return Stage.objects.select_related("run__rehearsal__owner").get(pk=stage_id)


def _carry_out(stage: Stage, claimed: Claimed) -> list[Bell]:
    """Do it and write it down; what cannot be written down is tried again like any failure."""
    outcome = _attempt(stage, claimed)
    try:
        return outlast(partial(_conclude, stage, claimed, outcome))
    except (LeaseLost, RunOver, *AWAY):
        raise
    except Exception:  # a rule may do to a report what nobody foresaw
        log.exception("stage %s (%s) could not be written down", stage.pk, stage.name)
        return outlast(partial(_conclude, stage, claimed, None))


def _attempt(stage: Stage, claimed: Claimed) -> Outcome | None:
    """One try. None: it failed in a way that may pass, and is to be tried again."""
    outlast(partial(_check_consent, stage))
    if stage.attempts > settings.STAGE_MAX_ATTEMPTS:
        return _given_up(stage)
    try:
        return _STEPS.get(stage.name, _analysis_step)(stage, claimed)
    except AnalysisError as error:
        if stage.name == "prepare":
            raise RunOver(code=error.code, sentence=error.sentence, hint=error.hint) from error
        return _failed(stage, Reason.STAGE_FAILED, error.sentence)
    except (LeaseLost, RunOver):
        raise
    except OSError as error:
        log.exception("stage %s (%s) failed", stage.pk, stage.name)
        if error.errno in _FULL:
            raise _disk_is_full() from error
        return None
    except Exception:  # a worker outlives whatever one recording does to a library
        log.exception("stage %s (%s) failed", stage.pk, stage.name)
        return None


def _disk_is_full() -> RunOver:
    """Tried again at once it would only fail again."""
    return RunOver(
        code="E152",
        sentence=_("The disk of this site was full while your recording was analysed."),
        hint=_("Your recording is kept. Try again once your administrator has made room."),
    )


def _check_consent(stage: Stage) -> None:
    if not has_consent(stage.run.rehearsal.owner, purpose=Purpose.ANALYSIS):
        raise RunOver(
            code="E150",
            sentence=_("You withdrew your consent to analysis, so this was stopped."),
            hint=_("Your recording is kept. Uploading a new take gives consent again."),
        )


def _given_up(stage: Stage) -> Outcome:
    if stage.name in {"prepare", "assemble", "draft"}:
        raise RunOver(
            code="E151",
            sentence=_("Something on our side went wrong with this recording, three times."),
            hint=_("Your recording is kept. Try again later, or tell your administrator."),
        )
    return _failed(stage, Reason.STAGE_FAILED, _("This part did not work with this recording."))


def _failed(stage: Stage, reason: Reason, sentence: str) -> Outcome:
    """Leave the reason where `assemble` finds it: the report comes out without this part."""
    if stage.name in {"transcribe", "listen", "watch"}:
        skipped = Skipped(reason=reason, detail=sentence)
        pipeline.record_skipped(stage.run.workdir, stage.name, skipped)
    return Outcome(state=Stage.State.FAILED, problem=sentence)


def _options(run: Run) -> Options:
    stored = dict(run.options)
    families = stored.pop("disabled_families", [])
    skip = frozenset(name for family in families for name in PROFILE_FAMILIES[family])
    calibration = stored.pop("calibration", None)
    left_out = tuple((start, end) for start, end in stored.pop("left_out", []))
    return Options(
        skip=skip, calibration=calibration and tuple(calibration), left_out=left_out, **stored
    )


def _limits() -> Limits:
    return Limits(max_seconds=settings.MAX_MINUTES * 60, max_bytes=settings.MAX_UPLOAD_BYTES)


def _throttled(stage: Stage, claimed: Claimed) -> Callable[[float], None]:
    """Tells how far it is, and stops soon after the consent is withdrawn: stages take minutes."""
    last = 0.0

    def progress(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PROGRESS_SECONDS:
            last = now
            _look_up(stage, claimed, share)

    return progress


def _look_up(stage: Stage, claimed: Claimed, share: float) -> None:
    try:
        report_progress(claimed, share)
        _check_consent(stage)
    except AWAY:  # the work goes on meanwhile; the next report is a second away
        connection.close()


def _analysis_step(stage: Stage, claimed: Claimed) -> Outcome:
    run = stage.run
    run.workdir.mkdir(parents=True, exist_ok=True, mode=0o700)
    record = pipeline.run_stage(
        stage.name,
        media_path=Path(run.rehearsal.media.path),
        workdir=run.workdir,
        options=_options(run),
        limits=_limits(),
        progress=_throttled(stage, claimed),
    )
    return Outcome(state=Stage.State.DONE, seconds=record.seconds, version=record.version)


def _prepare(stage: Stage, claimed: Claimed) -> Outcome:
    outcome = _analysis_step(stage, claimed)
    rehearsal = stage.run.rehearsal
    prepared = pipeline.load_prepared(stage.run.workdir)
    if prepared.poster_path is not None:
        shutil.copyfile(prepared.poster_path, rehearsal.poster_path)
    has_video = prepared.media.video is not None
    outlast(
        partial(
            note_preparation,
            rehearsal=rehearsal,
            duration=prepared.media.duration,
            has_video=has_video,
            playback_type=content_type(prepared.media.container, has_video=has_video),
        )
    )
    return outcome


def _playback(stage: Stage, claimed: Claimed) -> Outcome:
    """A copy for browsers that cannot play the original; none is needed for most."""
    rehearsal = stage.run.rehearsal
    started = time.monotonic()
    copy = pipeline.run_playback(
        media_path=Path(rehearsal.media.path),
        workdir=stage.run.workdir,
        progress=_throttled(stage, claimed),
    )
    seconds = time.monotonic() - started
    if copy is None:
        return Outcome(state=Stage.State.SKIPPED, seconds=seconds)
    kind = content_type(copy.suffix.lstrip("."), has_video=bool(rehearsal.has_video))
    shutil.move(copy, rehearsal.folder / "playback")
    outlast(partial(note_playback, rehearsal=rehearsal, playback_type=kind))
    return Outcome(state=Stage.State.DONE, seconds=seconds)


_STEPS: dict[str, Callable[[Stage, Claimed], Outcome]] = {
    "prepare": _prepare,
    "playback": _playback,
    # The draft is made in the transaction that finishes the stage.
    "draft": lambda _stage, _claimed: Outcome(state=Stage.State.DONE),
}


@transaction.atomic
def _conclude(stage: Stage, claimed: Claimed, outcome: Outcome | None) -> list[Bell]:
    run = hold_run(stage.run_id)
    if run is None:
        raise LeaseLost
    if outcome is None:
        give_back(claimed)
        return [bell_for(stage)]
    if stage.name == "assemble":
        run.report = _report(run).model_dump(mode="json")
        run.save(update_fields=["report"])
    if stage.name == "draft":
        store_draft(run=run)
        run.state = Run.State.DONE
        run.finished_at = timezone.now()
        run.save(update_fields=["state", "finished_at"])
        record_act(action="feedback.run_finished", target=run)
    finish(claimed, outcome)
    bells = [*queue_ready(run), *queue_next(run.rehearsal.owner_id)]
    _clean_up(run)
    return bells


def _report(run: Run) -> Report:
    return pipeline.load_stage_report(run.workdir)


def _clean_up(run: Run) -> None:
    """Landmarks and sound series go once every stage is finished: only the report stays."""
    if run.stages.exclude(state__in=Stage.FINISHED).exists():
        return
    workdir = run.workdir
    transaction.on_commit(lambda: shutil.rmtree(workdir, ignore_errors=True))


@transaction.atomic
def _end_run(stage: Stage, claimed: Claimed, end: RunOver) -> None:
    run = hold_run(stage.run_id)
    if run is None:
        return
    try:
        finish(claimed, Outcome(state=Stage.State.FAILED, problem=end.sentence))
    except LeaseLost:
        return
    if run.state != Run.State.FAILED:  # two stages at once may come to the same end
        run.state = Run.State.FAILED
        run.error_code, run.error_sentence, run.error_hint = end.code, end.sentence, end.hint
        run.finished_at = timezone.now()
        run.save()
        record_act(action="feedback.run_failed", target=run, code=end.code)
    workdir = run.workdir
    transaction.on_commit(lambda: shutil.rmtree(workdir, ignore_errors=True))


def _clear_if_deleted(stage: Stage) -> None:
    """The owner deleted the take while we worked on it: leave no file behind."""
    if not Run.objects.filter(pk=stage.run_id).exists():
        shutil.rmtree(stage.run.rehearsal.folder, ignore_errors=True)
