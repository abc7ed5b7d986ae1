"""Breaths and clicks between words: sounds, but no speech, so they belong to the pause."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.levels import frames_of

_SHORTEST_SECONDS = 0.12
_CLOSURE_SECONDS = 0.2
"""Shorter ones may be the release of a final t or k, unless no speech is as near as a closure is
long (50 to 150 ms)."""
_LARGEST_VOICED_FRAMES = 3
_QUIETER_DB, _PEAK_QUIETER_DB = 10.0, 6.0
"""A breath lies 12 to 30 dB under the voice (13 of them in 60 recordings), a word about at it."""
_LEAST_VOICED_SHARE = 0.4
"""In whispered or hoarse speech words have no voice either: then nothing is taken away."""


def without_breaths(speech: Sequence[Span], sound: Sound) -> tuple[Span, ...]:
    """The pieces of speech less those that stand alone between gaps and hold no voice.

    No syllable is spoken without a voiced nucleus; a silent pause with a breath in it is one
    pause (de Jong & Bosker, 2013, measure it so).
    """
    count = len(sound.f0_hz)
    voiced = np.isfinite(sound.f0_hz)
    spoken = voiced & spans.frames_inside(speech, step=sound.step, count=count)
    seconds = spans.total(speech)
    if not seconds or spoken.sum() * sound.step < _LEAST_VOICED_SHARE * seconds:
        return tuple(speech)
    usual = float(np.median(sound.level_db[spoken]))
    return tuple(
        piece
        for index, piece in enumerate(speech)
        if not (_may_be_breath(speech, index) and _is_unvoiced_and_soft(piece, sound, usual))
    )


def _may_be_breath(speech: Sequence[Span], index: int) -> bool:
    start, end = speech[index]
    if end - start >= _SHORTEST_SECONDS:
        return True
    is_near_before = index > 0 and start - speech[index - 1][1] < _CLOSURE_SECONDS
    is_near_after = index + 1 < len(speech) and speech[index + 1][0] - end < _CLOSURE_SECONDS
    return not (is_near_before or is_near_after)


def _is_unvoiced_and_soft(piece: Span, sound: Sound, usual_db: float) -> bool:
    inside = frames_of(piece, sound.step)
    level = sound.level_db[inside]
    if not len(level):
        return False
    return (
        int(np.isfinite(sound.f0_hz[inside]).sum()) <= _LARGEST_VOICED_FRAMES
        and float(np.median(level)) < usual_db - _QUIETER_DB
        and float(level.max()) < usual_db - _PEAK_QUIETER_DB
    )
