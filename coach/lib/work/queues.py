"""Task queues, and the workers that the product starts with."""

from __future__ import annotations

from collections.abc import Mapping

QUEUES = ("media", "speech", "vision", "default")
"""Queues with workers and suitable machines of their own."""

_LONG = "_long"


def long_queue(queue: str) -> str:
    """Return the queue for stages of long recordings, so that short ones do not wait behind
    them.
    """
    return f"{queue}{_LONG}"


def weight_of(queue: str) -> float:
    """Return a queue's share of a busy processor, relative to a usual queue."""
    return LONG_WEIGHT if queue.endswith(_LONG) else 1.0


def kind_of_work(queue: str) -> str:
    """Return the queue without its suffix for long recordings."""
    return queue.removesuffix(_LONG)


LONG_QUEUES = tuple(long_queue(queue) for queue in ("media", "speech", "vision"))
UPKEEP_QUEUE = "upkeep"
"""Queue for scheduled tasks and dry runs. Never a queue of stages: their wakeups are counted, and
other messages would be counted too."""
JOBS_QUEUE = "jobs"
"""Queue for other work that takes minutes, so that drafts do not wait behind export bundles."""
LONG_WEIGHT = 1 / 3
"""Processor share of a long stage relative to a usual one: its worker is started with `nice -n 5`,
to which Linux gives the weight 335, and 1024 to others (sched(7)). Between containers that has no
effect: compose gives theirs 335 of the others' 1024 shares."""
MAIL_QUEUE = "mail"
"""Queue of its own, since only its worker knows the mail account and connects to other machines."""
STAGE_QUEUES = (*QUEUES, *LONG_QUEUES)
ALL_QUEUES = (*STAGE_QUEUES, UPKEEP_QUEUE, JOBS_QUEUE, MAIL_QUEUE)

WORKERS: Mapping[str, tuple[str, ...]] = {
    **{queue: (queue,) for queue in QUEUES},
    "default": ("default", UPKEEP_QUEUE),
    "long": (*LONG_QUEUES, JOBS_QUEUE),
    MAIL_QUEUE: (MAIL_QUEUE,),
}
"""Queues by worker name. More of any worker may be started."""

PROCESSES: Mapping[str, int] = {"long": 2}
"""Speech and vision of a long recording run in parallel; other workers do one thing at a time."""
