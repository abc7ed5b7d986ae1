"""Allocation of CPU cores to a stage that starts: as planned, as far as other runs leave them."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from analysis.plan import plan_for, usable_cores
from coach.feedback.models import Stage
from coach.feedback.runs.costs import learned_costs
from coach.feedback.runs.cpu_contention import CpuDemand, mean_slowness
from coach.feedback.runs.fair_queue import shape_for
from coach.lib.work.lease_holders import this_machine
from coach.lib.work.leases import Lease


def machine_cores() -> int:
    """Return the number of cores that all workers of this machine may use together."""
    return settings.CORES or usable_cores()


def cores_for(stage: Stage, lease: Lease) -> int:
    """Choose the cores for a stage and store the number, so that later stages here count it.

    Stages that the plan runs in parallel may share cores; stages of other runs keep theirs.
    """
    plan = plan_for(
        shape_for(stage.run), machine_cores=machine_cores(), costs=learned_costs()
    ).stages.get(stage.name)
    wanted = plan.cores if plan else 1
    cores = (
        wanted
        if wanted == 1
        else max(1, min(wanted, machine_cores() - _cores_of_other_runs(stage)))
    )
    if cores != stage.cores:
        lease.row.update(cores=cores)
    return cores


def contention(stage: Stage) -> float:
    """Return the slowdown of a stage that ends now, caused by others computing on this machine.

    It is the mean over the stage's time, 1.0 without contention; stages of its own run count too.
    """
    here, now = this_machine(), timezone.now()
    if not here or stage.started_at is None:
        return 1.0
    began = stage.started_at
    others = Stage.objects.filter(holder__startswith=here).exclude(pk=stage.pk).order_by()
    of_before = others.filter(state=Stage.State.DONE, finished_at__gt=began)
    of_now = others.filter(state=Stage.State.RUNNING)
    beside = [
        (start, end or now, CpuDemand.of(name, queue, cores))
        for some in (of_before, of_now)
        for name, queue, cores, start, end in some.values_list(
            "name", "queue", "cores", "started_at", "finished_at"
        )
        if start is not None
    ]
    own = CpuDemand.of(stage.name, stage.queue, stage.cores)
    return mean_slowness((began, now), own, beside, machine_cores())


def _cores_of_other_runs(stage: Stage) -> int:
    """Return the number of this machine's cores in use by stages of other runs."""
    here = this_machine()
    if not here:
        return 0
    running = Stage.objects.filter(state=Stage.State.RUNNING, holder__startswith=here)
    taken: int | None = running.exclude(run=stage.run_id).aggregate(taken=Sum("cores"))["taken"]
    return taken or 0
