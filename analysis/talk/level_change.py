"""Whether the recording level changed in the middle: voice and background by a step, together.

A voice that grows softer leaves the room as it is. Where another take was put behind the first, or
the microphone was turned up, moved or changed, what is heard between the words changes as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.ports import FloatArray, Sound, Span
from analysis.talk import spans
from analysis.talk.levels import levels_in

_BESIDE_SECONDS = 30.0
_LEAST_VOICE_SECONDS, _LEAST_GAPS, _LEAST_GAP_SECONDS = 4.0, 3, 0.25
_ECHO_SECONDS, _BREATH_SECONDS = 0.1, 0.05
"""What the last word leaves in a gap, and what the next one begins with."""
_ROOM_PERCENT = 10
_VOICE_DB, _ROOM_DB = 4.0, 4.0
"""In twelve real recordings one of the two stays under 1 dB everywhere (docs/accuracy.md)."""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """When the level changes, and by how many decibels the voice does."""

    at: float
    voice_db: float


def find_level_change(speech: Sequence[Span], sound: Sound) -> LevelChange | None:
    """Where voice and room change most; None where they never do together."""
    found = [
        (abs(behind.mean_db - before.mean_db), at, behind.voice_db - before.voice_db)
        for at, before, behind in _sides(speech, sound)
        if abs(behind.voice_db - before.voice_db) >= _VOICE_DB
        and abs(behind.room_db - before.room_db) >= _ROOM_DB
    ]
    if not found:
        return None
    _most, at, voice = max(found)
    return LevelChange(at=at, voice_db=voice)


@dataclass(frozen=True, slots=True)
class _Levels:
    """What is heard on one side of a gap; the mean tells the place, to which a median is blind."""

    voice_db: float
    mean_db: float
    room_db: float


def _sides(speech: Sequence[Span], sound: Sound) -> Iterator[tuple[float, _Levels, _Levels]]:
    """For each gap, when it is and what is heard before and behind it."""
    gaps = spans.gaps(speech, at_least=_LEAST_GAP_SECONDS)
    for index, (start, end) in enumerate(gaps):
        before = _levels((start - _BESIDE_SECONDS, start), gaps[:index], sound)
        behind = _levels((end, end + _BESIDE_SECONDS), gaps[index + 1 :], sound)
        if before is not None and behind is not None:
            yield (start + end) / 2, before, behind


def _levels(part: Span, gaps: Sequence[Span], sound: Sound) -> _Levels | None:
    """None where there is little of voice or room."""
    first, last = (max(round(each / sound.step), 0) for each in part)
    level = sound.level_db[first:last]
    voice = level[np.isfinite(sound.f0_hz[first:last]) & np.isfinite(level)]
    quiet = [_inside(gap, sound) for gap in gaps if part[0] <= gap[0] and gap[1] <= part[1]]
    quiet = [one for one in quiet if len(one)]
    if len(voice) * sound.step < _LEAST_VOICE_SECONDS or len(quiet) < _LEAST_GAPS:
        return None
    return _Levels(
        voice_db=float(np.median(voice)),
        mean_db=float(voice.mean()),
        room_db=float(np.percentile(np.concatenate(quiet), _ROOM_PERCENT)),
    )


def _inside(gap: Span, sound: Sound) -> FloatArray:
    level = levels_in((gap[0] + _ECHO_SECONDS, gap[1] - _BREATH_SECONDS), sound)
    return level[np.isfinite(level)]
