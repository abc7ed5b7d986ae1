"""How long a run still takes, waiting in line included: from the plan, and from how it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from django.utils import timezone

from analysis.plan import Costs, Plan, Shape, cost_of, gain, plan_for
from analysis.stage_roles import SIDE_BY_SIDE
from coach.feedback.models import Run, Stage
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.crew import crowded, machine_cores
from coach.feedback.runs.line import Line, line_now
from coach.feedback.runs.turns import PATIENCE, shape_for

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ahead:
    """One stage that is not finished."""

    name: str
    wait: float
    work: float
    core_seconds: float

    @property
    def seconds(self) -> float:
        return self.wait + self.work


def estimate(run: Run, stages: Sequence[Stage]) -> Estimate:
    """What is left, with the figures that this installation has learned."""
    costs, line = learned_costs(), line_now()
    shape = shape_for(run)
    plan = plan_for(shape, machine_cores=machine_cores(), costs=costs)
    look = _Look(plan=plan, shape=shape, costs=costs, line=line, others=line.held_by_others(run.pk))
    ahead = {stage.name: look.ahead(stage) for stage in stages if stage.state not in Stage.FINISHED}
    beside = [ahead[name] for name in SIDE_BY_SIDE if name in ahead]
    after = [each for name, each in ahead.items() if name not in SIDE_BY_SIDE]
    longest = max(beside, key=lambda each: each.seconds, default=None)
    measuring = longest.seconds if longest else 0.0
    shared = sum(each.core_seconds for each in beside) / plan.machine_cores
    deciding = max((*after, *beside), key=lambda each: each.seconds, default=None)
    mine = _own_takes_before(run, stages, plan)
    waits = sum(each.wait for each in after) + (longest.wait if longest else 0.0)
    return Estimate(
        seconds=mine + sum(each.seconds for each in after) + max(measuring, shared),
        in_line=mine + waits,
        slowest=deciding.name if deciding else "",
        is_worked_on=any(look.is_served(stage) for stage in stages),
        weights={name: stage.seconds for name, stage in plan.stages.items()},
    )


def _own_takes_before(run: Run, stages: Sequence[Stage], plan: Plan) -> float:
    """Where nothing of it stands in line yet, since the same person's older takes do.

    They are taken to be like this one.
    """
    if any(stage.state != Stage.State.WAITING for stage in stages):
        return 0.0
    older = Run.objects.filter(
        rehearsal__owner=run.rehearsal.owner_id,
        state=Run.State.RUNNING,
        created_at__lt=run.created_at,
    )
    longest = max(stage.seconds for stage in plan.stages.values())
    return older.count() * longest


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What one estimate is made from."""

    plan: Plan
    shape: Shape
    costs: Costs
    line: Line
    others: float
    """Cores of a machine that other runs hold."""

    def is_served(self, stage: Stage) -> bool:
        """Whether a worker has it, or another one of its queue."""
        if stage.state == Stage.State.RUNNING:
            return True
        queue = self.line.queues.get(stage.queue)
        return stage.state == Stage.State.QUEUED and bool(queue and queue.running)

    def ahead(self, stage: Stage) -> _Ahead:
        """What is still to be waited for and done about a stage that is not finished."""
        if stage.state == Stage.State.RUNNING:
            return self._begun(stage)
        planned = self.plan.stages[stage.name]
        return _Ahead(
            name=stage.name,
            wait=self._wait(stage, planned.seconds),
            work=planned.seconds * crowded(self.others, planned.cores),
            core_seconds=planned.processor_seconds,
        )

    def _begun(self, stage: Stage) -> _Ahead:
        cost = cost_of(stage.name, self.shape, self.costs)
        alone = cost.processor_seconds(self.shape.amount(stage.name)) * cost.stretch
        usual = alone / gain(stage.name, stage.cores) * crowded(self.others, stage.cores)
        planned = self.plan.stages[stage.name]
        work = _left(stage, usual)
        share = min(work / usual, 1.0) if usual else 0.0
        return _Ahead(
            name=stage.name, wait=0.0, work=work, core_seconds=planned.processor_seconds * share
        )

    def _wait(self, stage: Stage, seconds: float) -> float:
        queue = self.line.queues.get(stage.queue)
        if queue is None or not seconds:
            return 0.0
        due = stage.due_at or timezone.now() + timedelta(seconds=PATIENCE * seconds)
        return queue.wait(due) * crowded(self.others, 0.0)


def _left(stage: Stage, usual: float) -> float:
    """The further it is, the more its own pace counts, and the less what is usual."""
    done, now = stage.progress, timezone.now()
    spent = (now - (stage.started_at or now)).total_seconds()
    if done <= 0:
        return max(usual - spent, 0.1 * usual)
    own_pace = spent * (1 - done) / done
    return (1 - done) * (usual * (1 - done)) + done * own_pace
