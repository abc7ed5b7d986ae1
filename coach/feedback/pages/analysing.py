"""The waiting page: the progress of an analysis and its remaining time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite
from typing import Literal, cast, get_args
from uuid import UUID

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
from coach.accounts.selectors import profile_of
from coach.feedback.models import Run, Stage
from coach.feedback.pages.extensions import page_before_report
from coach.feedback.pages.plain_facts import PlainFact, plain_facts
from coach.feedback.runs.early import early_report_of
from coach.feedback.runs.estimates import (
    SHORTEST_RANGE_SECONDS,
    Estimate,
    ShownEstimate,
    Why,
    estimate,
    estimate_to_show,
)
from coach.feedback.runs.execution import (
    CONSENT_ASKED,
    CONSENT_WITHDRAWN,
    DISK_FULL,
    FAILED_THREE_TIMES,
)
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.runs.stage_leases import CUSTODY_AWAY
from coach.feedback.selectors import is_held_back
from coach.lib.words.clock import about
from coach.lib.words.sentences import hint, sentence
from coach.lib.work.database_clock import database_now
from coach.lib.work.leases import is_silent
from coach.rehearsals.models import Rehearsal

_LONG_WAIT_SECONDS = 30
_FEW_SECONDS = 5.0
_WORTH_SAYING_SECONDS = 20.0
"""The minimum time in the queue to show separately."""

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
"""Error codes caused by the file, for which a new analysis of it changes nothing."""

OWN_ENDS = frozenset({CONSENT_ASKED, CONSENT_WITHDRAWN, FAILED_THREE_TIMES, DISK_FULL})
"""Error codes of ours whose texts already say that the recording is kept."""

_TOLD = ("until", "latest", "first")
"""The names of the times that a page passes to the next request."""

WAITED = "waited"
"""A mark in the address of a report, opened from this page: what comes before a report was here."""

RowState = Literal["waiting", "running", "done", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """A line of the progress list."""

    name: str
    title: str
    doing: str
    state: Literal["waiting", "running", "done", "skipped", "failed"]
    state_words: str
    percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysingPage:
    """The page of a take during its analysis."""

    rehearsal_id: str
    title: str
    stages: tuple[StageRow, ...]
    percent: int
    estimate: str
    """About 2 minutes left; empty while unknown."""
    finished: bool
    failed: bool
    reason: str = ""
    """Why it takes longer than estimated before."""
    said: str = ""
    """The last estimate as a query string, to keep the next one consistent."""
    problem: str = ""
    """The cause and the remedy, if the run ended without a report."""
    report_url: str = ""
    """The URL of this or an earlier report; empty if there is none."""
    facts: tuple[PlainFact, ...] = ()
    """What is known so far, while the picture is still watched."""
    is_about_file: bool = False
    """Whether the file caused the failure, so that another one is needed."""


def analysing_page(
    rehearsal: Rehearsal, run: Run, before: ShownEstimate | None = None
) -> AnalysingPage:
    """Return the page with stages, total percentage and remaining time.

    `before` is the last estimate that this reader saw, kept while it is about right.
    """
    stages = [stage for stage in run.stages.all() if BY_NAME[stage.name].is_shown]
    run.rehearsal = rehearsal
    found = estimate(run, stages)
    finished = run.state != Run.State.RUNNING
    said = None if finished else estimate_to_show(found, before, stages, began=run.created_at)
    silent = _silent(stages)
    stands_still = _waiting_words(stages, found, silent)
    # Its length is still unknown: no promise, and no estimate while the recording is opened.
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
        report_url=_report_url(rehearsal, run),
        facts=_facts_so_far(rehearsal, run),
        is_about_file=run.error_code in ABOUT_THE_FILE,
    )


def _report_url(rehearsal: Rehearsal, run: Run) -> str:
    if run.state == Run.State.DONE:
        return report_after_waiting(rehearsal.pk)
    is_there = rehearsal.runs.filter(state=Run.State.DONE).exists()
    return reverse("feedback:report", args=[rehearsal.pk]) if is_there else ""


def report_after_waiting(rehearsal_id: UUID) -> str:
    """Return the URL of the report for a person who waited for it on this page."""
    return f"{reverse('feedback:report', args=[rehearsal_id])}?{WAITED}=1"


def told_before(request_values: Mapping[str, str]) -> ShownEstimate | None:
    """Return the estimate in the query string of a polling page, or None if unreadable."""
    try:
        until, latest, first = (float(request_values[name]) for name in _TOLD)
    except (KeyError, ValueError):
        return None
    why = request_values.get("why", "")
    if not all(map(isfinite, (until, latest, first))) or why not in get_args(Why):
        return None
    return ShownEstimate(until=until, latest=latest, first=first, why=cast("Why", why))


def _facts_so_far(rehearsal: Rehearsal, run: Run) -> tuple[PlainFact, ...]:
    """Return the facts that are measured already, unless the report would not show them at once:
    a coach reads first, the owner's own view comes first, or words come before numbers.
    """
    early = early_report_of(run)
    if early is None or is_held_back(rehearsal) or page_before_report(rehearsal, rehearsal.owner):
        return ()
    if profile_of(rehearsal.owner).reads_words_first:
        return ()
    # The page has no player, and what is still to be measured is no missing value.
    return tuple(replace(fact, clips=()) for fact in plain_facts(early) if fact.value)


def _handed_on(said: ShownEstimate) -> str:
    times = "&".join(f"{name}={getattr(said, name):.0f}" for name in _TOLD)
    return f"{times}&why={said.why}"


def _percent(stages: Sequence[Stage], found: Estimate) -> int:
    total = sum(found.weights[stage.name] for stage in stages)
    done = sum(found.weights[stage.name] * _share(stage) for stage in stages)
    return min(int(100 * done / total), 99) if total else 0


def _problem(run: Run) -> str:
    if run.state != Run.State.FAILED:
        return ""
    note = Note.model_validate(run.problem)
    kept = "" if run.error_code in OWN_ENDS else _("Your original recording is kept unchanged.")
    return " ".join(part for part in (sentence(note), kept, hint(note)) if part)


def _share(stage: Stage) -> float:
    return 1.0 if stage.state in Stage.FINISHED else stage.progress


def _estimate(found: Estimate, said: ShownEstimate) -> str:
    left, is_soon = _left(said), said.until - timezone.now().timestamp() < _FEW_SECONDS
    if is_soon or found.waiting < _WORTH_SAYING_SECONDS or _range_of_minutes(said) is not None:
        return left
    return _("%(left)s, of which %(wait)s in the queue") % {
        "left": left,
        "wait": about(found.waiting),
    }


def _left(said: ShownEstimate) -> str:
    minutes = _range_of_minutes(said)
    if minutes is not None:
        least, most = minutes
        return _("About %(least)s to %(most)s minutes left") % {"least": least, "most": most}
    seconds = said.until - timezone.now().timestamp()
    if seconds < _FEW_SECONDS:
        return _("A few seconds left")
    left = _("%(time)s left") % {"time": about(seconds)}
    return left[:1].upper() + left[1:]


def _range_of_minutes(said: ShownEstimate) -> tuple[int, int] | None:
    """Return the range in minutes, the shorter time rounded down and the longer one up.

    None if one time is shown, or it is soon.
    """
    now = timezone.now().timestamp()
    if not said.is_range or said.latest - now < SHORTEST_RANGE_SECONDS:
        return None
    return int((said.until - now) // 60), ceil((said.latest - now) / 60)


def _reason(said: ShownEstimate, found: Estimate, stages: Sequence[Stage]) -> str:
    """Return why it takes far longer than estimated, or what a range depends on."""
    if said.why == "again":
        return _(
            "This is taking longer than we estimated: a worker stopped, so one step is being "
            "repeated."
        )
    if said.why == "line":
        return _("This is taking longer than we estimated: other takes are analysed first.")
    if said.why == "slow" and found.slowest:
        return _("This is taking longer than we estimated: “%(stage)s” is slower than usual.") % {
            "stage": BY_NAME[found.slowest].title
        }
    if _waits_for_own(stages):
        return _own_first()
    if _range_of_minutes(said) is not None:
        return _("This depends on how many other people’s takes are analysed before yours.")
    return ""


def _waits_for_own(stages: Sequence[Stage]) -> bool:
    """Return whether the next stage is not even queued (`stage_leases.queue_next` does that)."""
    states = {stage.state for stage in stages}
    is_in_line = not states.isdisjoint({Stage.State.QUEUED, Stage.State.RUNNING})
    return Stage.State.WAITING in states and not is_in_line


def _own_first() -> str:
    return _("Your other takes come first. This one then continues automatically.")


def _silent(stages: Sequence[Stage]) -> set[str]:
    """Return the names of stages whose worker stopped reporting."""
    held = [stage for stage in stages if stage.lease_until is not None]
    now = database_now() if held else timezone.now()
    return {stage.name for stage in held if is_silent(stage.lease_until, now)}


def _waiting_words(stages: Sequence[Stage], found: Estimate, silent: Collection[str]) -> str:
    """Return a sentence if no worker has started for a while, or if one stopped reporting."""
    running = [stage for stage in stages if stage.state == Stage.State.RUNNING]
    if any(stage.name in silent for stage in running):
        return _("A worker stopped; another one is taking over. Nothing is lost.")
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
            "We cannot reach the stored recordings at the moment. Nothing is lost; the analysis "
            "continues automatically."
        )
    waited = (timezone.now() - min(queued)).total_seconds()
    if waited < _LONG_WAIT_SECONDS or found.is_worked_on:
        return ""
    return _(
        "Waiting for a free worker since %(time)s. Nothing is lost; the analysis continues "
        "automatically."
    ) % {"time": about(waited)}


def _row(stage: Stage, *, failed: bool, is_silent: bool) -> StageRow:
    plan = BY_NAME[stage.name]
    state = _state(stage)
    words = {
        "waiting": _("Not started") if failed else _("Waiting"),
        "running": _running_words(stage, is_silent=is_silent),
        "done": _("Done"),
        "skipped": _("Not needed"),
        "failed": _("Failed"),
    }
    return StageRow(
        name=stage.name,
        title=str(plan.title),
        doing=str(plan.doing),
        state=state,
        state_words=words[state],
        percent=int(100 * _share(stage)),
    )


def _running_words(stage: Stage, *, is_silent: bool) -> str:
    """Return the progress in words; 0% is shown as in progress, not as a standstill."""
    if is_silent:
        return _("Another worker is taking over")
    percent = int(100 * stage.progress)
    return _("%(percent)s%% done") % {"percent": percent} if percent else _("In progress")


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
