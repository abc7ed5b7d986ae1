"""How far an analysis is, in words and with an estimate from this installation's own runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil, isfinite
from typing import Literal, cast, get_args

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
from coach.feedback.pages.values_of_takes import AnalysingPage, StageRow
from coach.feedback.runs.estimates import (
    SHORTEST_RANGE_SECONDS,
    Estimate,
    Said,
    Why,
    estimate,
    said_now,
)
from coach.feedback.runs.execution import (
    CONSENT_ASKED,
    CONSENT_WITHDRAWN,
    DISK_FULL,
    FAILED_THREE_TIMES,
)
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.runs.stage_leases import CUSTODY_AWAY
from coach.lib.words.clock import about
from coach.lib.words.sentences import hint, sentence
from coach.lib.work.database_clock import database_now
from coach.lib.work.leases import is_silent
from coach.rehearsals.models import Rehearsal

_LONG_WAIT_SECONDS = 30
_FEW_SECONDS = 5.0
_WORTH_SAYING_SECONDS = 20.0
"""A shorter wait in line is not told apart."""

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

OWN_ENDS = frozenset({CONSENT_ASKED, CONSENT_WITHDRAWN, FAILED_THREE_TIMES, DISK_FULL})
"""Ends of our own: their words say already that the recording is kept."""

RowState = Literal["waiting", "running", "done", "skipped", "failed"]


def analysing_page(rehearsal: Rehearsal, run: Run, before: Said | None = None) -> AnalysingPage:
    """The stage list with bars, the whole's percentage and what is left.

    `before` is what this reader was told last: a time that is about right still stands.
    """
    stages = [stage for stage in run.stages.all() if BY_NAME[stage.name].is_shown]
    run.rehearsal = rehearsal
    found = estimate(run, stages)
    finished = run.state != Run.State.RUNNING
    said = None if finished else said_now(found, before, stages)
    silent = _silent(stages)
    stands_still = _waiting_words(stages, found, silent)
    # Nobody knows its length yet: no promise, and no time at all in the moments that opening takes.
    is_guess = run.shape is None and rehearsal.duration is None
    is_opening = is_guess and any(stage.state == Stage.State.RUNNING for stage in stages)
    return AnalysingPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        stages=tuple(
            _row(stage, failed=run.state == Run.State.FAILED, is_silent=stage.name in silent)
            for stage in stages
        ),
        percent=100 if run.state == Run.State.DONE else _percent(stages, found),
        estimate="" if said is None or is_opening else stands_still or _estimate(found, said),
        reason="" if said is None or is_opening or stands_still else _reason(said, found, stages),
        said=_handed_on(said) if said and not is_guess else "",
        finished=finished,
        failed=run.state == Run.State.FAILED,
        problem=_problem(run),
        report_url=reverse("feedback:report", args=[rehearsal.pk])
        if rehearsal.runs.filter(state=Run.State.DONE).exists()
        else "",
        is_about_file=run.error_code in ABOUT_THE_FILE,
    )


def told_before(request_values: Mapping[str, str]) -> Said | None:
    """What the page that asks for news told its reader; None where it says nothing readable."""
    try:
        until = float(request_values.get("until", ""))
        latest = float(request_values.get("latest", until))
    except ValueError:
        return None
    why = request_values.get("why", "")
    if not isfinite(until) or not isfinite(latest) or why not in get_args(Why):
        return None
    return Said(until=until, why=cast("Why", why), latest=latest)


def _handed_on(said: Said) -> str:
    latest = f"&latest={said.latest:.0f}" if said.is_range else ""
    return f"until={said.until:.0f}{latest}&why={said.why}"


def _percent(stages: Sequence[Stage], found: Estimate) -> int:
    total = sum(found.weights[stage.name] for stage in stages)
    done = sum(found.weights[stage.name] * _share(stage) for stage in stages)
    return min(int(100 * done / total), 99) if total else 0


def _problem(run: Run) -> str:
    if run.state != Run.State.FAILED:
        return ""
    note = Note.model_validate(run.problem)
    kept = "" if run.error_code in OWN_ENDS else _("Your recording is kept as it arrived.")
    return " ".join(part for part in (sentence(note), kept, hint(note)) if part)


def _share(stage: Stage) -> float:
    return 1.0 if stage.state in Stage.FINISHED else stage.progress


def _estimate(found: Estimate, said: Said) -> str:
    left, is_soon = _left(said), said.until - timezone.now().timestamp() < _FEW_SECONDS
    # How much of a range is waiting hangs on who comes, as its length does.
    if is_soon or found.in_line < _WORTH_SAYING_SECONDS or _range_of_minutes(said) is not None:
        return left
    return _("%(left)s, %(wait)s of it in line") % {"left": left, "wait": about(found.in_line)}


def _left(said: Said) -> str:
    minutes = _range_of_minutes(said)
    if minutes is not None:
        least, most = minutes
        return _("About %(least)s to %(most)s minutes left") % {"least": least, "most": most}
    seconds = said.until - timezone.now().timestamp()
    if seconds < _FEW_SECONDS:
        return _("A few seconds left")
    left = _("%(time)s left") % {"time": about(seconds)}
    return left[:1].upper() + left[1:]


def _range_of_minutes(said: Said) -> tuple[int, int] | None:
    """The shorter rounded down, the longer up; None where one time is told, or it is soon."""
    now = timezone.now().timestamp()
    if not said.is_range or said.until - now < SHORTEST_RANGE_SECONDS:
        return None
    return int((said.until - now) // 60), ceil((said.latest - now) / 60)


def _reason(said: Said, found: Estimate, stages: Sequence[Stage]) -> str:
    """Why it takes longer than this reader was told before, or how sure it is."""
    why = said.why
    if not why and _range_of_minutes(said) is not None:
        if found.lets_pass:
            return _("The longer time is for when takes of others go between yours.")
        return _("The longer time is for when takes come in twice as fast as they did lately.")
    if why == "again":
        return _("Longer than we said: a part of it is done again, since a worker stopped.")
    if why == "line":
        return _("Longer than we said: others who came first or have shorter talks go before you.")
    if why == "more":
        return _("Longer than we said: more takes come in than did before.")
    if why == "slow" and found.slowest:
        return _("Longer than we said: “%(stage)s” takes longer than usual.") % {
            "stage": BY_NAME[found.slowest].title
        }
    return _own_first() if _waits_for_own(stages) else ""


def _waits_for_own(stages: Sequence[Stage]) -> bool:
    """Whether its next stage is not even queued: `stage_leases.queue_next` does that."""
    states = {stage.state for stage in stages}
    is_in_line = not states.isdisjoint({Stage.State.QUEUED, Stage.State.RUNNING})
    return Stage.State.WAITING in states and not is_in_line


def _own_first() -> str:
    return _("Your other takes come first. This one goes on by itself.")


def _silent(stages: Sequence[Stage]) -> set[str]:
    """By name those whose worker fell silent."""
    held = [stage for stage in stages if stage.lease_until is not None]
    now = database_now() if held else timezone.now()
    return {stage.name for stage in held if is_silent(stage.lease_until, now)}


def _waiting_words(stages: Sequence[Stage], found: Estimate, silent: Collection[str]) -> str:
    """Say so when nobody has picked the work up for a while, or whoever did fell silent."""
    running = [stage for stage in stages if stage.state == Stage.State.RUNNING]
    if any(stage.name in silent for stage in running):
        return _("A worker stopped; another takes over. Nothing is lost.")
    if running:
        return ""
    queued = [
        each.queued_at for each in stages if each.state == Stage.State.QUEUED and each.queued_at
    ]
    if not queued:
        return _own_first() if _waits_for_own(stages) and not found.is_worked_on else ""
    away = [each for each in stages if each.problem.get("code") == CUSTODY_AWAY]
    if any(each.state == Stage.State.QUEUED for each in away):
        return _(
            "The place where recordings are kept does not answer just now. Nothing is lost: it "
            "goes on by itself."
        )
    waited = (timezone.now() - min(queued)).total_seconds()
    if waited < _LONG_WAIT_SECONDS or found.is_worked_on:
        return ""
    return _("Waiting for a free worker since %(time)s. Nothing is lost: it goes on by itself.") % {
        "time": about(waited)
    }


def _row(stage: Stage, *, failed: bool, is_silent: bool) -> StageRow:
    plan = BY_NAME[stage.name]
    state = _state(stage)
    words = {
        "waiting": _("Not begun") if failed else _("Waiting"),
        "running": _("Is taken over")
        if is_silent
        else _("%(percent)s%% done") % {"percent": int(100 * stage.progress)},
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
