"""Silent pauses: gaps in the speech that are quiet, not filled or lost, and no breaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.levels import levels_in

SHORTEST_PAUSE_SECONDS = 0.25
"""Goldman-Eisler (1968); de Jong & Bosker (2013)."""
_QUIETER_DB = 6.0
"""A gap whose level lies within 6 dB of the voice is another sound (rule of thumb)."""
_SHORTEST_OTHER_SOUND_SECONDS = 0.5
"""A gap that holds so much of another sound is no pause either: a telephone rings on and off."""
_NOTHING_DB, _UNRECORDED_SECONDS = -100.0, 3.0
"""No microphone is that quiet: for so long it was switched off, or sound was lost (rules of thumb).
Where most gaps are empty a noise gate emptied them, and they are pauses."""
_BREAK_SECONDS = 30.0
"""Nobody stands silent before listeners for so long: they have a break, or do or watch something
(rule of thumb)."""
_ROOM_PERCENT = 5
"""What is never quieter from the first word to the last is the room, not another sound: a fan, an
air conditioner. It lies at the 5th percentile (rule of thumb), and another sound as far over it as
it may lie under the voice."""


_LEAST_GAPS, _LEAST_UNDER_DB = 6, 2.0
"""What fills most gaps is the room as well, however it moves: people who talk at the next table. So
many gaps tell that it does, and it lies under the voice (rules of thumb)."""


def quiet_gaps(
    speech: Sequence[Span], sound: Sound | None, *, at_least: float = SHORTEST_PAUSE_SECONDS
) -> tuple[Span, ...]:
    """Gaps between speech that are silent; without `sound` every gap counts."""
    gaps = spans.gaps(speech, at_least=at_least)
    found = tuple(gap for gap in gaps if not is_break(gap))
    if sound is None:
        return found
    limit = _limit_of_other_sounds(speech, sound)
    unrecorded = _unrecorded(speech, sound)
    return tuple(gap for gap in found if gap not in unrecorded and not _is_loud(gap, sound, limit))


def other_sounds(speech: Sequence[Span], sound: Sound | None) -> tuple[Span, ...]:
    """Gaps that are neither speech nor pause: filled with music, applause, a telephone, not
    recorded, or breaks.

    What a talk leaves out is none of it.
    """
    if sound is None:
        return ()
    silent = set(quiet_gaps(speech, sound, at_least=_SHORTEST_OTHER_SOUND_SECONDS))
    gaps = spans.gaps(speech, at_least=_SHORTEST_OTHER_SOUND_SECONDS)
    return tuple(gap for gap in gaps if gap not in silent and not _is_left_out(gap, sound))


def _unrecorded(speech: Sequence[Span], sound: Sound) -> frozenset[Span]:
    """Long gaps without any sound, in a recording that has some in its others."""
    gaps = spans.gaps(speech, at_least=SHORTEST_PAUSE_SECONDS)
    empty = [gap for gap in gaps if _is_empty(gap, sound)]
    if 2 * len(empty) >= len(gaps):
        return frozenset()
    return frozenset(gap for gap in empty if gap[1] - gap[0] >= _UNRECORDED_SECONDS)


def is_break(gap: Span) -> bool:
    """Whether it is longer than anybody stands silent before listeners."""
    return gap[1] - gap[0] >= _BREAK_SECONDS


def _is_empty(gap: Span, sound: Sound) -> bool:
    inside = levels_in(gap, sound)
    return bool(len(inside)) and float(np.median(inside)) <= _NOTHING_DB


def _limit_of_other_sounds(speech: Sequence[Span], sound: Sound) -> float:
    """The level over which a gap holds another sound than the room's own."""
    inside = spans.frames_inside(speech, step=sound.step, count=len(sound.level_db))
    if not inside.any():
        return -_QUIETER_DB
    voice = float(np.median(sound.level_db[inside]))
    talk = levels_in((speech[0][0], speech[-1][1]), sound)
    measured = talk[np.isfinite(talk)]
    if not len(measured):
        return voice - _QUIETER_DB
    never_quieter = float(np.percentile(measured, _ROOM_PERCENT)) + _QUIETER_DB
    in_most_gaps = min(_level_of_most_gaps(speech, sound) + _QUIETER_DB, voice - _LEAST_UNDER_DB)
    return max(voice - _QUIETER_DB, never_quieter, in_most_gaps)


def _level_of_most_gaps(speech: Sequence[Span], sound: Sound) -> float:
    gaps = spans.gaps(speech, at_least=_SHORTEST_OTHER_SOUND_SECONDS)
    levels = [
        float(np.median(levels_in(gap, sound))) for gap in gaps if not _is_left_out(gap, sound)
    ]
    return float(np.median(levels)) if len(levels) >= _LEAST_GAPS else -np.inf


def _is_loud(gap: Span, sound: Sound, limit: float) -> bool:
    inside = levels_in(gap, sound)
    if _is_left_out(gap, sound):
        return True
    if not len(inside):
        return False
    loud_seconds = float((inside > limit).sum()) * sound.step
    return float(np.median(inside)) > limit or loud_seconds >= _SHORTEST_OTHER_SOUND_SECONDS


def _is_left_out(gap: Span, sound: Sound) -> bool:
    """Whether a part that is not measured lies in it."""
    return bool(np.isnan(levels_in(gap, sound)).any())
