"""Estimated length of a recording before it is opened, from its size and file type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import PurePath
from statistics import median

from django.conf import settings

from coach.feedback.models import Stage
from coach.rehearsals.media_types import is_of_sound
from coach.rehearsals.models import Rehearsal

_LATELY = 200
"""So many recordings tell what one of their kind takes here."""
_USUAL_WITH_PICTURE, _USUAL_SOUND = 250_000.0, 32_000.0
"""Bytes a second where none was seen: a webcam's 2 Mbit/s, and between an MP3 of 128 kbit/s and
plain speech of 16 kHz (rules of thumb)."""


def usual_bytes_per_second() -> Mapping[str, float]:
    """Return the median bytes per second by extension, of recordings opened recently; one
    short query.
    """
    opened = Stage.objects.filter(name="prepare", state=Stage.State.DONE)
    rows = opened.order_by("-finished_at").values_list(
        "run__rehearsal__original_name",
        "run__rehearsal__size_bytes",
        "run__rehearsal__duration",
    )
    found: defaultdict[str, list[float]] = defaultdict(list)
    for name, size, seconds in rows[:_LATELY]:
        if seconds and size:
            found[_extension(name)].append(size / seconds)
    return {extension: median(some) for extension, some in found.items()}


def guessed_seconds(take: Rehearsal, usual: Mapping[str, float]) -> float:
    """Return the length in seconds if it is known, otherwise an estimate from the size."""
    if take.duration:
        return take.duration
    of_kind = _USUAL_SOUND if is_of_sound(take.original_name) else _USUAL_WITH_PICTURE
    guess = take.size_bytes / usual.get(_extension(take.original_name), of_kind)
    return min(guess, settings.MAX_MINUTES * 60.0)


def _extension(name: str) -> str:
    return PurePath(name).suffix.lower()
