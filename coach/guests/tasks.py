"""Celery tasks of guests: clips are cut and deleted."""

from __future__ import annotations

import logging
from uuid import UUID

from celery import shared_task

from coach.guests.clips import cut, delete_ended_clips
from coach.guests.selectors import clips_to_cut
from coach.lib.work.wakeups import wake_workers
from coach.storage import StorageUnavailable

log = logging.getLogger(__name__)

LONGEST_SECONDS = 300
"""Time for one clip; two minutes of video take about ten seconds (rule of thumb)."""
_AT_ONCE = 50


def enqueue_clip(link_id: UUID) -> bool:
    """Wake a worker for a clip; return False if the broker is away: the sweep does it later."""
    return wake_workers(cut_clip, str(link_id), queue="media", time_limit=LONGEST_SECONDS)


@shared_task(name="coach.guests.tasks.cut_clip")
def cut_clip(link_id: str) -> None:
    """Cut the clip of a link."""
    try:
        cut(UUID(link_id))
    except StorageUnavailable as problem:
        log.warning("the clip of a guest link is cut next time: %s", problem)


@shared_task(name="coach.guests.tasks.sweep_clips")
def sweep_clips() -> None:
    """Delete the clips of links that are over, and enqueue those not cut yet."""
    delete_ended_clips()
    for link_id in list(clips_to_cut().values_list("pk", flat=True)[:_AT_ONCE]):
        if not enqueue_clip(link_id):
            return
