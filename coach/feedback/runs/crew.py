"""How many cores a stage gets that begins now: those of the plan, as far as others leave them."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Sum

from analysis.plan import plan_for, usable_cores
from coach.feedback.models import Stage
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.turns import shape_for
from coach.lib.holders import this_machine
from coach.lib.leases import Lease
from coach.lib.queues import weight_of


def machine_cores() -> int:
    """Those that all workers of this machine may use together."""
    return settings.CORES or usable_cores()


def cores_for(stage: Stage, lease: Lease) -> int:
    """Decide it and write it down, so that others who begin here count with it.

    What the plan lets run side by side may share cores; stages of other runs are left theirs.
    """
    plan = plan_for(
        shape_for(stage.run), machine_cores=machine_cores(), costs=learned_costs()
    ).stages.get(stage.name)
    wanted = plan.cores if plan else 1
    cores = (
        wanted
        if wanted == 1
        else max(1, min(wanted, machine_cores() - sum(_others(stage).values())))
    )
    if cores != stage.cores:
        lease.row.update(cores=cores)
    return cores


def crowding(stage: Stage) -> float:
    """How many times as long it takes here since other runs compute as well."""
    weighed = sum(cores * weight_of(queue) for queue, cores in _others(stage).items())
    return crowded(weighed / weight_of(stage.queue), stage.cores)


def crowded(others: float, own: float) -> float:
    """The same from the cores that others hold, as they count beside this one, and one's own."""
    return max((others + own) / machine_cores(), 1.0)


def _others(stage: Stage) -> dict[str, int]:
    """The cores of this machine that stages of other runs hold just now, by queue."""
    here = this_machine()
    if not here:
        return {}
    running = Stage.objects.filter(state=Stage.State.RUNNING, holder__startswith=here)
    others = running.exclude(run=stage.run_id).order_by().values_list("queue")
    return dict(others.annotate(taken=Sum("cores")))
