"""Who works: processes that do something or did so lately, and those that were not seen yet."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings

from coach.feedback.models import Stage
from coach.feedback.runs.crew import machine_cores
from coach.feedback.runs.forecast import Hands
from coach.lib.holders import is_gone, machine_of
from coach.lib.queues import PROCESSES, WORKERS

_LATELY = timedelta(minutes=10)
_MOST_ROWS = 2_000


def hands_now(running: Sequence[Stage], now: datetime) -> Hands:
    """By worker its queues and its machine; `running`: what is in somebody's hands.

    Of each worker that the product is started with, as many processes are taken to be there as it
    has, also where only some of them have had anything to do lately.
    """
    queues = _seen(running, now)
    machines = {worker: machine_of(worker) for worker in queues}
    usual = Counter(machines.values()).most_common(1)
    known = {queue for some in queues.values() for queue in some}
    for name, some in WORKERS.items():
        # Whoever takes queues of two workers was started otherwise: what was seen is all we know.
        members = [worker for worker, taken in queues.items() if taken <= set(some)]
        for worker in members:
            queues[worker] = set(some)
        if not members and known.issuperset(some):
            continue
        for number in range(len(members), PROCESSES.get(name, 1)):
            worker = f"{name} {number}"
            queues[worker] = set(some)
            machines[worker] = usual[0][0] if usual else ""
    return Hands(
        machines=machines,
        queues=queues,
        cores=machine_cores(),
        share=settings.STAGES_OF_A_PERSON,
    )


def _seen(running: Sequence[Stage], now: datetime) -> dict[str, set[str]]:
    """Processes that have a name here and are not known to have ended."""
    ended = Stage.objects.filter(state=Stage.State.DONE, finished_at__gt=now - _LATELY)
    newest = ended.order_by("-finished_at").values_list("holder", "queue")[:_MOST_ROWS]
    found: defaultdict[str, set[str]] = defaultdict(set)
    for holder, queue in dict.fromkeys([*((s.holder, s.queue) for s in running), *newest]):
        found[holder].add(queue)
    return {who: what for who, what in found.items() if who and not is_gone(who)}
