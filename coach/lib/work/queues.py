"""Task queues, and the workers that the product starts with."""

from __future__ import annotations

from collections.abc import Mapping

QUEUES = ("media", "speech", "vision", "default")
"""Each has workers of its own, and machines that suit it."""

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
"""What the clock starts, and dry runs. Never a queue of stages: how many wakeups one of those holds
is asked for, and whatever else lay in it would pass for one."""
JOBS_QUEUE = "jobs"
"""What takes minutes and is no stage: nobody's draft waits behind somebody's bundle."""
LONG_WEIGHT = 1 / 3
"""What a stage of these gets of a busy processor beside another one: their worker is started with
`nice -n 5`, which Linux weighs with 335 where others have 1024 (sched(7)). Between containers
that counts for nothing: compose gives theirs 335 of the others' 1024 shares."""
MAIL_QUEUE = "mail"
"""Apart from the others: its worker alone is told a mail account and reaches out."""
STAGE_QUEUES = (*QUEUES, *LONG_QUEUES)
ALL_QUEUES = (*STAGE_QUEUES, UPKEEP_QUEUE, JOBS_QUEUE, MAIL_QUEUE)

WORKERS: Mapping[str, tuple[str, ...]] = {
    **{queue: (queue,) for queue in QUEUES},
    "default": ("default", UPKEEP_QUEUE),
    "long": (*LONG_QUEUES, JOBS_QUEUE),
    MAIL_QUEUE: (MAIL_QUEUE,),
}
"""By the name of a worker the queues that it takes. More of any of them may be started."""

PROCESSES: Mapping[str, int] = {"long": 2}
"""A long recording is heard and watched side by side; other workers do one thing at a time."""
