"""Edge voices: another person who speaks first or last, such as a host or a questioner.

Detected from pitch and timbre, relative to the speaker's own variation; never an identification.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.speakers import are_apart, voice_segments, voiced_frames

_LEAST_PIECES, _MOST_PIECES, _OF_ALL = 3, 12, 5
"""Limits in segments of 3 s: at least three, and at most a fifth of all; more is a second voice of
the talk.
"""
_FARTHER = 2.0
"""Distance ratio: this many times further from the rest than any other passage of the same length.
In twelve talks of one voice none was, wherever they were made to begin (docs/lab/disturbed.md).
"""
_LEAST_GAP_SECONDS, _ABOUT_SECONDS = 0.25, 4.5


def end_of_first_voice(speech: Sequence[Span], sound: Sound) -> float | None:
    """Return the time at which another first voice ends, in seconds; None if there is none."""
    starts, pieces = voice_segments(speech, sound)
    count = _pieces_of_another(pieces)
    if count is None:
        return None
    change = pieces[count + 1 :].mean(axis=0) - pieces[:count].mean(axis=0)
    return _gap_between(float(starts[count]), change, speech, sound)


def start_of_last_voice(speech: Sequence[Span], sound: Sound) -> float | None:
    """Return the time at which another voice begins and continues to the end; None if there is
    none.
    """
    starts, pieces = voice_segments(speech, sound)
    count = _pieces_of_another(pieces[::-1])
    if count is None:
        return None
    change = pieces[-count:].mean(axis=0) - pieces[: -count - 1].mean(axis=0)
    return _gap_between(float(starts[-count]), change, speech, sound)


def _pieces_of_another(pieces: NDArray[np.float64]) -> int | None:
    """Return how many of the first segments are another voice's, where they differ most; None if
    none are.
    """
    found = []
    for count in range(_LEAST_PIECES, min(len(pieces) // _OF_ALL, _MOST_PIECES) + 1):
        # The segment between the two may contain both voices.
        first, rest = pieces[:count], pieces[count + 1 :]
        usual = max(
            _distance(rest[at : at + count], np.delete(rest, slice(at, at + count), axis=0), rest)
            for at in range(len(rest) - count + 1)
        )
        farther = _distance(first, rest, rest) / max(usual, 1e-6)
        if farther >= _FARTHER and are_apart(first, rest):
            found.append((farther, count))
    return max(found)[1] if found else None


def _distance(
    one: NDArray[np.float64], other: NDArray[np.float64], rest: NDArray[np.float64]
) -> float:
    """Return the distance between two means, each dimension in standard deviations of the rest."""
    apart = (one.mean(axis=0) - other.mean(axis=0)) / np.maximum(rest.std(axis=0), 1e-6)
    return float(np.sqrt((apart**2).mean()))


def _gap_between(
    second: float, change: NDArray[np.float64], speech: Sequence[Span], sound: Sound
) -> float | None:
    """Return the middle of the nearby gap at which the voice changes; None without a gap.

    `change` is the difference of the later voice; frames are projected on it.
    """
    near = [
        (start + end) / 2
        for start, end in spans.gaps(speech, at_least=_LEAST_GAP_SECONDS)
        if abs((start + end) / 2 - second) <= _ABOUT_SECONDS
    ]
    if not near:
        return None
    frames, features = voiced_frames(speech, sound)
    clock = (frames + 0.5) * sound.step
    about = np.abs(clock - second) <= 2 * _ABOUT_SECONDS
    clock, along = clock[about], features[about] @ change
    along = along - (np.median(along[clock < second]) + np.median(along[clock >= second])) / 2
    before = [float(along[clock < at].sum()) for at in near]
    return round(near[int(np.argmin(before))], 1)
