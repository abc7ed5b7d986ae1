"""How long a run still takes, waiting in line included: from the plan, and from how it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from django.utils import timezone

from analysis.plan import plan_for
from coach.feedback.models import Run, Stage
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.crew import machine_cores
from coach.feedback.runs.forecast import Foreseen
from coach.feedback.runs.line import Line, line_for
from coach.feedback.runs.turns import shape_for
from coach.lib.work.queues import kind_of_work

Why = Literal["", "again", "line", "more", "slow"]
"""Why it takes longer than was said: done again, others first, more came, slower than usual."""

_CLOSE_ENOUGH = 0.25
_LEAST_CHANGE_SECONDS = 8.0
"""What was said stands while it is right within a quarter or some seconds: a time that is set
right every two seconds cannot be read (rule of thumb)."""
_WIDE, _STILL_WIDE = 1.35, 1.25
"""A longer time is told beside the other from the first on, and until it is below the second (rule
of thumb; a time that is right within a quarter needs no other)."""
MANY_BEFORE, _LET_PASS = 4, 1.6
"""Others go between the takes of who handed in many: behind so many of one's own it takes so many
times as long at most, on nine in ten of the days that `bench load --told` plays (rule of thumb)."""
SHORTEST_RANGE_SECONDS = 60.0
"""What is nearer is told as one time: who comes now hardly delays it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Seconds until the draft, and how many of them nobody works on it."""

    seconds: float
    in_line: float
    slowest: str
    """The stage that decides now."""
    is_worked_on: bool
    """Whether it, or what comes before it in line, is in somebody's hands."""
    weights: Mapping[str, float]
    """What each stage takes of the whole, in seconds, the finished ones too."""
    if_others_come: float = 0.0
    """Seconds until the draft if they come twice as fast as they came lately; 0: too few did."""
    own_before: int = 0
    """Runs of the same person that came before it and are not done."""

    @property
    def lets_pass(self) -> bool:
        """Whether it takes longest where takes of others go between those of this person."""
        return self.own_before >= MANY_BEFORE and self.if_others_come < _LET_PASS * self.seconds

    def latest(self, *, is_range: bool = False) -> float:
        """The longer time, where it is worth telling beside the other; else the other.

        `is_range`: two were told before, and one form does not give way to the other at once.
        """
        if self.seconds < SHORTEST_RANGE_SECONDS:
            return self.seconds
        wide = _STILL_WIDE if is_range else _WIDE
        least = max(wide * self.seconds, self.seconds + _LEAST_CHANGE_SECONDS)
        longer = _LET_PASS * self.seconds if self.lets_pass else self.if_others_come
        return longer if longer > least else self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What somebody was told: until when, and why later than before."""

    until: float
    """Seconds since 1970."""
    why: Why = ""
    latest: float = 0.0
    """Until when at the latest, where a range was told."""

    @property
    def is_range(self) -> bool:
        """Whether two times were told."""
        return self.latest > self.until


def estimate(run: Run, stages: Sequence[Stage]) -> Estimate:
    """What is left, with the figures that this installation has learned."""
    costs = learned_costs()
    plan = plan_for(shape_for(run), machine_cores=machine_cores(), costs=costs)
    weights = {name: stage.seconds for name, stage in plan.stages.items()}
    is_over = run.state != Run.State.RUNNING  # one that failed has stages that nobody will end
    if is_over or all(stage.state in Stage.FINISHED for stage in stages):
        return Estimate(seconds=0, in_line=0, slowest="", is_worked_on=False, weights=weights)
    line = line_for(run, costs)
    passed = (timezone.now() - line.at).total_seconds()
    found = line.foreseen.get(run.pk)
    if found is None:  # too many come before it, or nobody is there
        found = Foreseen(seconds=line.beyond() + plan.seconds, in_line=line.beyond())
    crowded = line.at_latest.get(run.pk)
    return Estimate(
        if_others_come=max(crowded.seconds - passed, 0.0) if crowded else 0.0,
        seconds=max(found.seconds - passed, 0.0),
        in_line=max(found.in_line - passed, 0.0),
        slowest=found.slowest,
        is_worked_on=_is_worked_on(stages, line),
        weights=weights,
        own_before=line.own_before.get(run.pk, 0),
    )


def _is_worked_on(stages: Sequence[Stage], line: Line) -> bool:
    in_line = [
        stage for stage in stages if stage.state in {Stage.State.QUEUED, Stage.State.RUNNING}
    ]
    if in_line:
        return any(_is_served(stage, line) for stage in in_line)
    # Others of the same person go first: its queue may have become the one for long work meanwhile.
    kinds = {kind_of_work(queue) for queue in line.served}
    waiting = [stage for stage in stages if stage.state == Stage.State.WAITING]
    return any(kind_of_work(stage.queue) in kinds for stage in waiting)


def _is_served(stage: Stage, line: Line) -> bool:
    """Whether a worker has it, or another one of its queue."""
    if stage.state == Stage.State.RUNNING:
        return True
    return stage.state == Stage.State.QUEUED and stage.queue in line.served


def said_now(found: Estimate, before: Said | None, stages: Sequence[Stage]) -> Said:
    """What to say: what was said before while it holds, else the new time, with why it is later."""
    now = timezone.now().timestamp()
    latest = found.latest(is_range=before is not None and before.is_range)
    fresh = Said(until=now + found.seconds, latest=now + latest)
    if before is None:
        return fresh
    promised, at_latest = before.until - now, max(before.latest, before.until) - now
    if _is_close(promised, found.seconds) and _is_close(at_latest, latest):
        return before
    if found.seconds > at_latest and not _is_close(at_latest, found.seconds):
        return replace(fresh, why=_why(found, stages))
    if before.is_range and latest > at_latest and not _is_close(at_latest, latest):
        return replace(fresh, why="more")
    return fresh


def _is_close(said: float, found: float) -> bool:
    margin = max(_CLOSE_ENOUGH * max(said, found), _LEAST_CHANGE_SECONDS)
    return abs(found - said) <= margin


def _why(found: Estimate, stages: Sequence[Stage]) -> Why:
    going_on = [stage for stage in stages if stage.state not in Stage.FINISHED]
    if any(stage.attempts > 1 or (stage.attempts and _is_back(stage)) for stage in going_on):
        return "again"
    return "line" if found.in_line > _CLOSE_ENOUGH * found.seconds else "slow"


def _is_back(stage: Stage) -> bool:
    """Begun once, and in line again."""
    return stage.state == Stage.State.QUEUED
