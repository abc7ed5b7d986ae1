"""How long a run still takes, waiting in line included: from the plan, and from how it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils import timezone

from analysis.plan import plan_for
from coach.feedback.models import Run, Stage
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.crew import machine_cores
from coach.feedback.runs.forecast import Foreseen
from coach.feedback.runs.line import Line, line_for
from coach.feedback.runs.turns import shape_for

Why = Literal["", "again", "line", "slow"]
"""Why it takes longer than was said: done again, others first, slower than usual."""

_CLOSE_ENOUGH = 0.25
_LEAST_CHANGE_SECONDS = 8.0
"""What was said stands while it is right within a quarter or some seconds: a time that is set
right every two seconds cannot be read (rule of thumb)."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What somebody was told: until when, and why later than before."""

    until: float
    """Seconds since 1970."""
    why: Why = ""


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
    return Estimate(
        seconds=max(found.seconds - passed, 0.0),
        in_line=max(found.in_line - passed, 0.0),
        slowest=found.slowest,
        is_worked_on=any(_is_served(stage, line) for stage in stages),
        weights=weights,
    )


def _is_served(stage: Stage, line: Line) -> bool:
    """Whether a worker has it, or another one of its queue."""
    if stage.state == Stage.State.RUNNING:
        return True
    return stage.state == Stage.State.QUEUED and stage.queue in line.served


def said_now(found: Estimate, before: Said | None, stages: Sequence[Stage]) -> Said:
    """What to say: what was said before while it holds, else the new time, with why it is later."""
    now = timezone.now().timestamp()
    fresh = Said(until=now + found.seconds)
    if before is None:
        return fresh
    promised = before.until - now
    margin = max(_CLOSE_ENOUGH * max(promised, found.seconds), _LEAST_CHANGE_SECONDS)
    if abs(found.seconds - promised) <= margin:
        return before
    if found.seconds < promised:
        return fresh
    return Said(until=fresh.until, why=_why(found, stages))


def _why(found: Estimate, stages: Sequence[Stage]) -> Why:
    going_on = [stage for stage in stages if stage.state not in Stage.FINISHED]
    if any(stage.attempts > 1 or (stage.attempts and _is_back(stage)) for stage in going_on):
        return "again"
    return "line" if found.in_line > _CLOSE_ENOUGH * found.seconds else "slow"


def _is_back(stage: Stage) -> bool:
    """Begun once, and in line again."""
    return stage.state == Stage.State.QUEUED
