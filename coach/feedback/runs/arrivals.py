"""Who may still come: nobody knows, so what came lately is taken to come again, twice as fast.

What the next minutes bring is best told from the last ones, and what is an hour away from the last
hour. It needs no history: the first rush of an installation is seen as it happens. Twice as fast,
since before a deadline more and more come: so what is told is right for nine takes in ten of a
rush, where once as fast it was for eight (docs/scaling.md). Of a rush the newest 200 takes come
again; behind them nobody does, and the longer time is too short then.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from coach.feedback.models import Run, Stage
from coach.feedback.runs.plan import PLAN

_LONGEST_SECONDS = 3600.0
_MOST_RUNS = 200
FEWEST_PEOPLE = 4
"""Fewer tell nothing of how many will come (rule of thumb)."""
_TIMES = 2


def to_come(now: datetime, within: float) -> list[tuple[float, int, Run]]:
    """In how many seconds another one like which run comes, and for the how many-th time; nothing
    where too few people came."""
    since = now - timedelta(seconds=min(within, _LONGEST_SECONDS))
    came = Run.objects.exclude(state=Run.State.FAILED).filter(created_at__gt=since)
    newest = list(came.select_related("rehearsal").order_by("-created_at")[:_MOST_RUNS])
    if len({run.rehearsal.owner_id for run in newest}) < FEWEST_PEOPLE:
        return []
    ago = [max((now - run.created_at).total_seconds(), 0.0) for run in newest]
    return [(when, turn, newest[index]) for when, turn, index in once_more(ago, within)]


def once_more(ago: Sequence[float], within: float) -> list[tuple[float, int, int]]:
    """When who comes, soonest first: those that came some seconds `ago`, newest first, twice as
    often as they did, until so many seconds from now. As (when, turn, index)."""
    span = min(within, _LONGEST_SECONDS)
    if len(ago) >= _MOST_RUNS:
        span = min(span, ago[-1])
    return [
        ((turn * span + seconds) / _TIMES, turn, index)
        for turn in range(_TIMES)
        for index, seconds in enumerate(ago)
    ]


def stages_anew(run: Run) -> list[Stage]:
    """Those of another one like it, of which nothing is done; no row."""
    return [
        Stage(run=run, name=plan.name, needs=list(plan.needs), queue=plan.queue)
        for plan in PLAN
        if plan.role != "beside"
    ]
