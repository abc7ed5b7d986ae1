"""Who may still come: nobody knows, so what came lately is taken to come again, the newest first.

What the next minutes bring is best told from the last ones, and what is an hour away from the last
hour. It needs no history: the first rush of an installation is seen as it happens. Of a rush the
newest 200 takes come again; behind them nobody does, and the longer time is too short then.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from coach.feedback.models import Run, Stage
from coach.feedback.runs.plan import PLAN

_LONGEST_SECONDS = 3600.0
_MOST_RUNS = 200
_FEWEST_PEOPLE = 4
"""Fewer tell nothing of how many will come (rule of thumb)."""


def came_lately(now: datetime, within: float) -> Sequence[tuple[float, Run]]:
    """By how many seconds ago: the runs that were handed in; empty where too few people did."""
    since = now - timedelta(seconds=min(within, _LONGEST_SECONDS))
    came = Run.objects.exclude(state=Run.State.FAILED).filter(created_at__gt=since)
    newest = list(came.select_related("rehearsal").order_by("-created_at")[:_MOST_RUNS])
    if len({run.rehearsal.owner_id for run in newest}) < _FEWEST_PEOPLE:
        return ()
    return [(max((now - run.created_at).total_seconds(), 0.0), run) for run in newest]


def stages_anew(run: Run) -> list[Stage]:
    """Those of another one like it, of which nothing is done; no row."""
    return [
        Stage(run=run, name=plan.name, needs=list(plan.needs), queue=plan.queue)
        for plan in PLAN
        if plan.role != "beside"
    ]
