"""Progress in a focus, computed from takes; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from coach.practice.plan.ladders import STEPS, Ladder, Outcome
from coach.practice.progress.comparable_takes import MeasuredTake, value_of, why_not

IN_A_ROW = 2
"""Takes in a row that move a step, if a single one leaves doubt (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedTake:
    """One take that counted, with its outcome against the step at that time."""

    take: MeasuredTake
    step: int
    outcome: Outcome

    @property
    def is_met(self) -> bool:
        """Return whether the value meets the step."""
        return self.outcome in {"met", "clearly_met"}


@dataclass(slots=True)
class FocusProgress:
    """The current step (from 1), whether the last one is reached, and the takes that led there."""

    step: int
    is_reached: bool = False
    counted: list[CountedTake] = field(default_factory=list)
    run: int = 0
    """Takes in a row: positive if met, negative if missed."""


def progress_after(ladder: Ladder, first_step: int, takes: Iterable[MeasuredTake]) -> FocusProgress:
    """Return the progress after these takes, given oldest first.

    The step moves up when a take meets it with its whole interval, or two in a row meet it; it
    moves down when two in a row miss it. After the last step the focus is reached.
    """
    now = FocusProgress(step=first_step)
    for take in takes:
        row = take.rows.get(ladder.metric)
        if row is None or why_not(row) is not None:
            continue
        outcome = ladder.judge(value_of(row), now.step)
        now.counted.append(CountedTake(take=take, step=now.step, outcome=outcome))
        _move(now, outcome)
    return now


def _move(now: FocusProgress, outcome: Outcome) -> None:
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
