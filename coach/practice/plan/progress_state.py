"""Where a person stands in a focus: nothing of it is stored, it follows from their takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from coach.practice.plan.ladders import STEPS, Ladder, Outcome
from coach.practice.progress.comparing import Compared, value_of, why_not

IN_A_ROW = 2
"""So many takes in a row move a step where one alone leaves doubt (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One take that counted: what it came to against the step at that time."""

    take: Compared
    step: int
    outcome: Outcome

    @property
    def is_met(self) -> bool:
        """Whether its value is on the step's side."""
        return self.outcome in {"met", "clearly_met"}


@dataclass(slots=True)
class Standing:
    """The step now (from 1), whether the last one is reached, and the takes that led there."""

    step: int
    is_reached: bool = False
    counted: list[Counted] = field(default_factory=list)
    run: int = 0
    """Takes in a row: above zero met, below zero missed."""


def standing_after(ladder: Ladder, first_step: int, takes: Iterable[Compared]) -> Standing:
    """Go through takes, oldest first.

    One step harder where a take meets it with its whole range, or two in a row meet it; one step
    easier where two in a row do not. After the last step the focus is reached.
    """
    now = Standing(step=first_step)
    for take in takes:
        row = take.rows.get(ladder.metric)
        if row is None or why_not(row) is not None:
            continue
        outcome = ladder.judge(value_of(row), now.step)
        now.counted.append(Counted(take=take, step=now.step, outcome=outcome))
        _move(now, outcome)
    return now


def _move(now: Standing, outcome: Outcome) -> None:
    is_met = outcome in {"met", "clearly_met"}
    now.run = max(now.run, 0) + 1 if is_met else min(now.run, 0) - 1
    if outcome == "clearly_met" or now.run >= IN_A_ROW:
        now.is_reached = now.step == STEPS
        now.step = min(now.step + 1, STEPS)
        now.run = 0
    elif now.run <= -IN_A_ROW:
        now.is_reached = False
        now.step = max(now.step - 1, 1)
        now.run = 0
