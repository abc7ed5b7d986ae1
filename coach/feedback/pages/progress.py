"""How far an analysis is, in words and with an estimate from this installation's own runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.errors import (
    MediaEmpty,
    MediaEncrypted,
    MediaRefused,
    MediaTooLarge,
    MediaTooLong,
    MediaUnreadable,
    NothingDecodable,
)
from analysis.results import Note
from coach.feedback.models import Run, Stage
from coach.feedback.pages.values import ProgressPage, StageRow
from coach.feedback.runs.execution import CONSENT_WITHDRAWN, DISK_FULL, FAILED_THREE_TIMES
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.selectors import usual_ratios
from coach.lib.clock import about
from coach.lib.leases import is_silent
from coach.lib.sentences import hint, sentence
from coach.rehearsals.models import Rehearsal

_LONG_WAIT_SECONDS = 30
_SHORT_RUN_SECONDS = 3.0
"""Each stage takes at least about this long, however short the recording (start of a model)."""

ABOUT_THE_FILE = frozenset(
    kind.code
    for kind in (
        MediaEmpty,
        MediaUnreadable,
        MediaRefused,
        NothingDecodable,
        MediaTooLong,
        MediaTooLarge,
        MediaEncrypted,
    )
)
"""Where the file itself is the reason, analysing the same file again changes nothing."""

OWN_ENDS = frozenset({CONSENT_WITHDRAWN, FAILED_THREE_TIMES, DISK_FULL})
"""Ends of our own: their words say already that the recording is kept."""

RowState = Literal["waiting", "running", "done", "skipped", "failed"]


def progress_page(rehearsal: Rehearsal, run: Run) -> ProgressPage:
    """The stage list with bars, the whole's percentage and what is left."""
    stages = [stage for stage in run.stages.all() if BY_NAME[stage.name].is_shown]
    costs = _costs(stages, rehearsal.duration)
    total = sum(costs.values())
    done = sum(costs[stage.name] * _share(stage) for stage in stages)
    finished = run.state != Run.State.RUNNING
    return ProgressPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        stages=tuple(_row(stage, failed=run.state == Run.State.FAILED) for stage in stages),
        percent=100 if run.state == Run.State.DONE else min(int(100 * done / total), 99),
        estimate="" if finished else _estimate(stages, costs, rehearsal.duration),
        finished=finished,
        failed=run.state == Run.State.FAILED,
        problem=_problem(run),
        report_url=reverse("feedback:report", args=[rehearsal.pk])
        if rehearsal.runs.filter(state=Run.State.DONE).exists()
        else "",
        is_about_file=run.error_code in ABOUT_THE_FILE,
    )


def _problem(run: Run) -> str:
    if run.state != Run.State.FAILED:
        return ""
    note = Note.model_validate(run.problem)
    kept = "" if run.error_code in OWN_ENDS else _("Your recording is kept as it arrived.")
    return " ".join(part for part in (sentence(note), kept, hint(note)) if part)


def _share(stage: Stage) -> float:
    return 1.0 if stage.state in Stage.FINISHED else stage.progress


def _costs(stages: Sequence[Stage], duration: float | None) -> dict[str, float]:
    """Expected seconds of each stage."""
    ratios = usual_ratios()
    return {
        stage.name: max(
            ratios.get(stage.name, BY_NAME[stage.name].usual_ratio) * (duration or 60.0),
            0.1 * _SHORT_RUN_SECONDS,
        )
        for stage in stages
    }


def _estimate(stages: Sequence[Stage], costs: dict[str, float], duration: float | None) -> str:
    waiting = _waiting_words(stages)
    if waiting:
        return waiting
    if duration is None:
        return ""
    # The three measuring stages run side by side, so the longest of them decides.
    side_by_side = {"transcribe", "listen", "watch"}
    left = {stage.name: costs[stage.name] * (1 - _share(stage)) for stage in stages}
    seconds = max((left[name] for name in side_by_side if name in left), default=0.0)
    seconds += sum(value for name, value in left.items() if name not in side_by_side)
    if seconds < _SHORT_RUN_SECONDS:
        return _("A few seconds left")
    return _("%(time)s left") % {"time": about(seconds).capitalize()}


def _waiting_words(stages: Sequence[Stage]) -> str:
    """Say so when nobody has picked the work up for a while, or whoever did fell silent."""
    running = [stage for stage in stages if stage.state == Stage.State.RUNNING]
    if any(is_silent(stage.lease_until) for stage in running):
        return _("A worker stopped; another takes over. Nothing is lost.")
    if running:
        return ""
    queued = [
        each.queued_at for each in stages if each.state == Stage.State.QUEUED and each.queued_at
    ]
    if not queued:
        # Its next stage is not even queued: `claims.queue_next` does that.
        return _("Your other takes come first. This one goes on by itself.")
    waited = (timezone.now() - min(queued)).total_seconds()
    if waited < _LONG_WAIT_SECONDS:
        return ""
    return _("Waiting for a free worker since %(time)s. Nothing is lost: it goes on by itself.") % {
        "time": about(waited)
    }


def _row(stage: Stage, *, failed: bool) -> StageRow:
    plan = BY_NAME[stage.name]
    state = _state(stage)
    words = {
        "waiting": _("Not begun") if failed else _("Waiting"),
        "running": _("Is taken over")
        if is_silent(stage.lease_until)
        else _("%(percent)s %% done") % {"percent": int(100 * stage.progress)},
        "done": _("Done"),
        "skipped": _("Not needed"),
        "failed": _("Did not work"),
    }
    return StageRow(
        name=stage.name,
        title=str(plan.title),
        doing=str(plan.doing),
        state=state,
        state_words=words[state],
        percent=int(100 * _share(stage)),
    )


def _state(stage: Stage) -> RowState:
    if stage.state in {Stage.State.WAITING, Stage.State.QUEUED}:
        return "waiting"
    states: dict[str, RowState] = {
        Stage.State.RUNNING: "running",
        Stage.State.DONE: "done",
        Stage.State.SKIPPED: "skipped",
        Stage.State.FAILED: "failed",
    }
    return states[stage.state]
