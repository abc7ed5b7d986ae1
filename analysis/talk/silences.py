"""Silent pauses: gaps in the speech that are quiet, neither filled nor lost, and not breaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.levels import levels_in

SHORTEST_PAUSE_SECONDS = 0.25
"""Shortest pause: Goldman-Eisler (1968); de Jong & Bosker (2013)."""
_QUIETER_DB = 6.0
"""Distance from the voice's level within which a gap contains another sound (rule of thumb)."""
_SHORTEST_OTHER_SOUND_SECONDS = 0.5
"""Length of another sound from which a gap is not a pause: a telephone rings intermittently."""
_NOTHING_DB, _UNRECORDED_SECONDS = -100.0, 3.0
"""Level and length of lost sound. No microphone is that quiet: for this long it was switched off,
or sound was lost (rules of thumb). If most gaps are empty, a noise gate emptied them, and they
are pauses.
"""
_BREAK_SECONDS = 30.0
"""Length of a break: nobody stands silent in front of listeners for so long without doing or
watching something (rule of thumb).
"""
_ROOM_PERCENT = 5
"""Percentile of the room's own noise. A level that never falls from the first word to the last is
the room, such as a fan or air conditioning, not another sound. Another sound is as far above it
as it may be below the voice (rule of thumb).
"""


_LEAST_GAPS, _LEAST_UNDER_DB = 6, 2.0
"""Limits of a noisy room: sound that fills most gaps is the room as well, even if it varies, such
as people talking at the next table. This many gaps show it, and it is below the voice (rules of
thumb).
"""


def quiet_gaps(
    speech: Sequence[Span], sound: Sound | None, *, at_least: float = SHORTEST_PAUSE_SECONDS
) -> tuple[Span, ...]:
    """Return the silent gaps between speech; without `sound` every gap counts."""
    gaps = spans.gaps(speech, at_least=at_least)
    found = tuple(gap for gap in gaps if not is_break(gap))
    if sound is None:
        return found
    limit = _limit_of_other_sounds(speech, sound)
    unrecorded = _unrecorded(speech, sound)
    return tuple(gap for gap in found if gap not in unrecorded and not _is_loud(gap, sound, limit))


def other_sounds(speech: Sequence[Span], sound: Sound | None) -> tuple[Span, ...]:
    """Return gaps that are neither speech nor pause: music, applause, a telephone, lost sound or
    breaks.

    Excluded parts of a talk are not returned.
    """
    if sound is None:
        return ()
    silent = set(quiet_gaps(speech, sound, at_least=_SHORTEST_OTHER_SOUND_SECONDS))
    gaps = spans.gaps(speech, at_least=_SHORTEST_OTHER_SOUND_SECONDS)
    return tuple(gap for gap in gaps if gap not in silent and not _is_left_out(gap, sound))


def _unrecorded(speech: Sequence[Span], sound: Sound) -> frozenset[Span]:
    """Return long gaps without any sound, if the other gaps have some."""
    gaps = spans.gaps(speech, at_least=SHORTEST_PAUSE_SECONDS)
    empty = [gap for gap in gaps if _is_empty(gap, sound)]
    if 2 * len(empty) >= len(gaps):
        return frozenset()
    return frozenset(gap for gap in empty if gap[1] - gap[0] >= _UNRECORDED_SECONDS)


def is_break(gap: Span) -> bool:
    """Return whether a gap is too long for a speaker's silence in front of listeners."""
    return gap[1] - gap[0] >= _BREAK_SECONDS


def _is_empty(gap: Span, sound: Sound) -> bool:
    inside = levels_in(gap, sound)
    return bool(len(inside)) and float(np.median(inside)) <= _NOTHING_DB


def _limit_of_other_sounds(speech: Sequence[Span], sound: Sound) -> float:
    """Return the level above which a gap contains another sound than the room's own."""
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
    """Return whether the gap includes a part that is not measured."""
    return bool(np.isnan(levels_in(gap, sound)).any())
