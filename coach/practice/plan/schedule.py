"""Date and focus of the next practice: one to three days after the last one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from coach.accounts.models import User
from coach.practice.models import FocusArea
from coach.practice.plan.ladders import LADDERS, STEPS
from coach.practice.plan.progress_state import FocusProgress, progress_after
from coach.practice.plan.selectors import focus_areas_for, last_practice_of
from coach.practice.preferences import spoken_of
from coach.practice.progress.comparable_takes import Situation, comparable_takes, value_of, why_not
from coach.rehearsals.models import Rehearsal

DAYS_AFTER_MISSED, DAYS_AFTER_NOTHING, DAYS_AFTER_MET = 1, 2, 3
"""Sooner after a missed step; spread over days in any case, which is remembered better than all at
once (rules of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaNow:
    """A focus with its progress."""

    area: FocusArea
    standing: FocusProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPractice:
    """The next practice: its date and its focus."""

    at: datetime
    days: int
    now: AreaNow
    take: Rehearsal | None
    """The newest comparable take, of which a part is redone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanNow:
    """Each focus with its progress, from the person's takes in the newest situation."""

    areas: tuple[AreaNow, ...] = ()
    take: Rehearsal | None = None
    """The newest of these takes."""
    situation: Situation | None = None
    """Their situation, if there are takes of others too, which do not count now."""


def plan_now(user: User) -> PlanNow:
    """Return the person's current plan; makes no further query without a focus."""
    areas = list(focus_areas_for(user))
    may = spoken_of(user, [area.metric for area in areas], with_norms=True) if areas else []
    areas = [area for area in areas if area.metric in may]
    if not areas:
        return PlanNow()
    began = min(area.since for area in areas)
    found = comparable_takes(user, [area.metric for area in areas], since=began)
    standings = tuple(
        AreaNow(
            area=area,
            standing=progress_after(
                LADDERS[area.metric],
                area.step,
                [each for each in found.takes if each.take.created_at >= area.since],
            ),
        )
        for area in areas
    )
    return PlanNow(
        areas=standings,
        take=found.takes[-1].take if found.takes else None,
        situation=found.situation if len(found.others) > 1 else None,
    )


def step_to_begin(user: User, metric: str) -> int:
    """Return the first step that the person's newest take does not meet; 1 without a
    measured take.
    """
    ladder = LADDERS[metric]
    rows = [each.rows.get(metric) for each in comparable_takes(user, [metric]).takes]
    usable = [row for row in rows if row is not None and why_not(row) is None]
    if not usable:
        return 1
    newest = value_of(usable[-1])
    for step in range(1, STEPS):
        if ladder.judge(newest, step) not in {"met", "clearly_met"}:
            return step
    return STEPS


def next_practice(user: User, plan: PlanNow | None = None) -> NextPractice | None:
    """Return the next practice; None without a plan or a first practice."""
    plan = plan or plan_now(user)
    open_ones = [each for each in plan.areas if not each.standing.is_reached]
    if not open_ones:
        return None
    last = last_practice_of(user)
    if last is None:
        return None
    first = min(open_ones, key=lambda each: (_days(each.standing), each.area.created_at))
    days = _days(first.standing)
    return NextPractice(at=last + timedelta(days=days), days=days, now=first, take=plan.take)


def _days(standing: FocusProgress) -> int:
    if not standing.counted:
        return DAYS_AFTER_NOTHING
    return DAYS_AFTER_MET if standing.counted[-1].is_met else DAYS_AFTER_MISSED
