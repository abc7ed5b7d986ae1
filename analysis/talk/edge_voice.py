"""Whether somebody else speaks first or last, who introduces the speaker or asks a question.

Told from pitch and timbre, with the speaker's own changes as the measure; never an identity.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.speakers import are_apart, pieces_of, voiced_frames

_LEAST_PIECES, _MOST_PIECES, _OF_ALL = 3, 12, 5
"""Three pieces of 3 s at least, and a fifth of all at most: more is a second voice of the talk."""
_FARTHER = 2.0
"""So much farther from the rest than any other stretch of the same length: in twelve talks of one
voice none was, wherever they were made to begin (docs/lab/disturbed.md)."""
_LEAST_GAP_SECONDS, _ABOUT_SECONDS = 0.25, 4.5


def end_of_first_voice(speech: Sequence[Span], sound: Sound) -> float | None:
    """When another voice than the rest's falls silent; None where the talk begins with its own."""
    starts, pieces = pieces_of(speech, sound)
    count = _pieces_of_another(pieces)
    if count is None:
        return None
    change = pieces[count + 1 :].mean(axis=0) - pieces[:count].mean(axis=0)
    return _gap_between(float(starts[count]), change, speech, sound)


def start_of_last_voice(speech: Sequence[Span], sound: Sound) -> float | None:
    """When another voice than the rest's begins, and goes on to the end."""
    starts, pieces = pieces_of(speech, sound)
    count = _pieces_of_another(pieces[::-1])
    if count is None:
        return None
    change = pieces[-count:].mean(axis=0) - pieces[: -count - 1].mean(axis=0)
    return _gap_between(float(starts[-count]), change, speech, sound)


def _pieces_of_another(pieces: NDArray[np.float64]) -> int | None:
    """How many of the first pieces are another voice's: where they are farthest from the rest."""
    found = []
    for count in range(_LEAST_PIECES, min(len(pieces) // _OF_ALL, _MOST_PIECES) + 1):
        # In the piece between the two there may be both.
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
    """Between two means, each dimension in deviations of the rest."""
    apart = (one.mean(axis=0) - other.mean(axis=0)) / np.maximum(rest.std(axis=0), 1e-6)
    return float(np.sqrt((apart**2).mean()))


def _gap_between(
    second: float, change: NDArray[np.float64], speech: Sequence[Span], sound: Sound
) -> float | None:
    """The middle of the gap about there at which the voice changes; nobody takes over without one.

    `change` is by what the voice behind it differs: the frames are weighed along it.
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
