"""The file of a shared clip: cut by a worker from the copy for playback, deleted with its link."""

from __future__ import annotations

import logging
from uuid import UUID

from analysis.errors import AnalysisError
from coach.guests.models import GuestLink
from coach.guests.selectors import clips_to_cut, clips_to_delete, opens
from coach.guests.services import delete_clip, note_clip
from coach.lib.files.scratch import scratch
from coach.rehearsals.removals import remove_for_good
from coach.storage import Gone, places, storage

log = logging.getLogger(__name__)

_AT_ONCE = 200


def cut(link_id: UUID) -> None:
    """Cut the clip of a link and store it. Nothing happens if the link is over, or has it.

    Safe to repeat. Raises StorageUnavailable: then the sweep tries again.
    """
    link = clips_to_cut().filter(pk=link_id).select_related("rehearsal__owner", "made_by").first()
    if link is None or link.start is None or link.end is None or not opens(link):
        return
    try:
        _cut(link, link.start, link.end)
    except (AnalysisError, Gone) as problem:
        log.warning("the clip of a guest link cannot be cut: %s", problem)
        note_clip(link_id=link.pk, is_cut=False)
        return
    if not note_clip(link_id=link.pk, is_cut=True):
        # The link or its take ended meanwhile, and the deletion may have been too early.
        remove_for_good(places.clip(link.rehearsal_id, link.pk))


def _cut(link: GuestLink, start: float, end: float) -> None:
    # Only workers load the media libraries, and the web process imports this module's task.
    from analysis.backends.media.clip import cut_clip  # noqa: PLC0415

    with scratch() as folder:
        copy, out = folder / "copy", folder / "clip.mp4"
        with copy.open("wb") as file:
            for piece in storage().read(places.copy_to_play(link.rehearsal_id)):
                file.write(piece)
        cut_clip(copy, out, start=start, end=end)
        storage().keep(out, places.clip(link.rehearsal_id, link.pk))


def delete_ended_clips() -> int:
    """Delete the files of links that are over. Return their number."""
    ended = list(clips_to_delete()[:_AT_ONCE])
    for link in ended:
        delete_clip(link)
    return len(ended)
