"""Level change within a recording: a step of the voice, with the background or alone.

A voice that becomes softer does so gradually and leaves the room unchanged. If another take was
appended, or the microphone was turned up, moved or changed, the sound between the words changes as
well. A speaker who steps away from the microphone leaves the room unchanged, but is softer from one
sentence to the next, and remains so.
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
"""Margins of a gap: the echo of the last word, and the onset of the next."""
_ROOM_PERCENT = 10
_VOICE_DB, _ROOM_DB = 4.0, 4.0
"""Steps of voice and room; in twelve real recordings one of the two is below 1 dB everywhere
(docs/lab/disturbed.md).
"""
_ALONE_DB, _NEAR_SECONDS, _LEAST_NEAR_SECONDS, _AT_ONCE = 6.0, 8.0, 2.0, 0.75
"""Limits for the voice alone: as much as doubling the distance, more than twice the largest step at
any gap of 18 real recordings of 40 to 71 s (2.6 dB), and most of it within 8 s of the gap. A
voice that fades evenly by 18 dB in 90 s reaches a quarter of that (rules of thumb).
"""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """Time of a level change in seconds, and the change of the voice in dB."""

    at: float
    voice_db: float
    with_room: bool = True


def find_level_change(speech: Sequence[Span], sound: Sound) -> LevelChange | None:
    """Return the largest step of voice and room, or of the voice alone; None without either."""
    steps = [_LevelStep(at, before, behind) for at, before, behind in _sides(speech, sound)]
    found = [step for step in steps if _is_with_room(step)]
    with_room = bool(found)
    if not with_room:
        found = [step for step in steps if _is_permanent(step, sound)]
    if not found:
        return None
    most = max(found, key=lambda step: abs(step.mean_db))
    return LevelChange(at=most.at, voice_db=most.voice_db, with_room=with_room)


@dataclass(frozen=True, slots=True)
class _SideLevels:
    """Levels on one side of a gap; the mean locates the step, which a median cannot."""

    voice_db: float
    mean_db: float
    room_db: float


@dataclass(frozen=True, slots=True)
class _LevelStep:
    """Gap with the levels before and after it."""

    at: float
    before: _SideLevels
    behind: _SideLevels

    @property
    def voice_db(self) -> float:
        return self.behind.voice_db - self.before.voice_db

    @property
    def mean_db(self) -> float:
        return self.behind.mean_db - self.before.mean_db

    @property
    def room_db(self) -> float:
        return self.behind.room_db - self.before.room_db


def _is_with_room(step: _LevelStep) -> bool:
    return abs(step.voice_db) >= _VOICE_DB and abs(step.room_db) >= _ROOM_DB


def _is_permanent(step: _LevelStep, sound: Sound) -> bool:
    """Return whether the voice changes permanently, mostly next to the gap."""
    if min(abs(step.voice_db), abs(step.mean_db)) < _ALONE_DB:
        return False
    before = _voice((step.at - _NEAR_SECONDS, step.at), sound)
    behind = _voice((step.at, step.at + _NEAR_SECONDS), sound)
    if min(len(before), len(behind)) * sound.step < _LEAST_NEAR_SECONDS:
        return False
    near = float(np.median(behind) - np.median(before))
    return bool(near * np.sign(step.voice_db) >= _AT_ONCE * abs(step.voice_db))


def _sides(
    speech: Sequence[Span], sound: Sound
) -> Iterator[tuple[float, _SideLevels, _SideLevels]]:
    """Yield each gap's time with the levels before and after it."""
    gaps = spans.gaps(speech, at_least=_LEAST_GAP_SECONDS)
    for index, (start, end) in enumerate(gaps):
        before = _levels((start - _BESIDE_SECONDS, start), gaps[:index], sound)
        behind = _levels((end, end + _BESIDE_SECONDS), gaps[index + 1 :], sound)
        if before is not None and behind is not None:
            yield (start + end) / 2, before, behind


def _levels(part: Span, gaps: Sequence[Span], sound: Sound) -> _SideLevels | None:
    """Return the levels of a part; None if it has too little voice or room."""
    voice = _voice(part, sound)
    quiet = [_inside(gap, sound) for gap in gaps if part[0] <= gap[0] and gap[1] <= part[1]]
    quiet = [one for one in quiet if len(one)]
    if len(voice) * sound.step < _LEAST_VOICE_SECONDS or len(quiet) < _LEAST_GAPS:
        return None
    return _SideLevels(
        voice_db=float(np.median(voice)),
        mean_db=float(voice.mean()),
        room_db=float(np.percentile(np.concatenate(quiet), _ROOM_PERCENT)),
    )


def _voice(part: Span, sound: Sound) -> FloatArray:
    first, last = (max(round(each / sound.step), 0) for each in part)
    level = sound.level_db[first:last]
    return level[np.isfinite(sound.f0_hz[first:last]) & np.isfinite(level)]


def _inside(gap: Span, sound: Sound) -> FloatArray:
    level = levels_in((gap[0] + _ECHO_SECONDS, gap[1] - _BREATH_SECONDS), sound)
    return level[np.isfinite(level)]
