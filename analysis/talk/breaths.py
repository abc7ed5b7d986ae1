"""Breaths, clicks and wind between words: sounds without speech, which belong to the pause."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_opening

from analysis.ports import Sound, Span
from analysis.talk import spans
from analysis.talk.levels import energies, frames_of, smooth_levels

_SHORTEST_SECONDS = 0.12
_CLOSURE_SECONDS = 0.2
"""Shorter sounds may be the release of a final t or k, unless the nearest speech is further away
than a closure lasts (50 to 150 ms).
"""
_LARGEST_VOICED_FRAMES = 3
_QUIETER_DB, _PEAK_QUIETER_DB = 10.0, 6.0
"""Level below the voice: a breath is 12 to 30 dB below (13 of them in 60 recordings), a word about
equal.
"""
_LEAST_VOICED_SHARE = 0.4
"""Share of voiced speech below which nothing is removed, since words in whispered or hoarse speech
are unvoiced, too.
"""
_SHORTEST_NOISE_SECONDS, _SHORTEST_LOUD_SECONDS, _SMOOTH_SECONDS = 0.25, 0.4, 0.05
_SILENT_DB, _SHORTEST_SILENT_SECONDS = 25.0, 0.05
_BESIDE_WORDS_SECONDS = 0.1
"""Longest unvoiced speech sound next to a transcribed word (rules of thumb)."""


def without_breaths(speech: Sequence[Span], sound: Sound) -> tuple[Span, ...]:
    """Return the spans of speech without unvoiced ones that stand alone between gaps.

    Every syllable has a voiced nucleus; a silent pause with a breath in it is one pause (de Jong &
    Bosker, 2013, measure it so).
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


def noise_between_words(
    speech: Sequence[Span],
    words: Sequence[Span],
    sound: Sound,
    *,
    ums: Sequence[Span] = (),
    echoes: bool = False,
) -> tuple[Span, ...]:
    """Return unvoiced sound next to words that was detected as speech, such as loud breathing and
    wind.

    It is softer than the voice for at least a quarter of a second, as loud for longer, or almost
    silent for less, without a word and without an um. In a reverberant room (`echoes`) sound as
    soft as a breath contains voice as well.
    """
    count = len(sound.f0_hz)
    inside = spans.frames_inside(words, step=sound.step, count=count)
    measured = np.isfinite(sound.level_db)
    voiced = np.isfinite(sound.f0_hz) & measured
    if not inside.any() or (voiced & inside).sum() < _LEAST_VOICED_SHARE * inside.sum():
        return ()
    usual = float(np.median(sound.level_db[voiced & inside]))
    level = smooth_levels(energies(sound), round(_SMOOTH_SECONDS / sound.step))
    has_voice = binary_opening(voiced, np.ones(_LARGEST_VOICED_FRAMES + 1))

    def softer(by_db: float) -> NDArray[np.bool_]:
        under: NDArray[np.bool_] = level < usual - by_db
        return under

    soft = softer(_PEAK_QUIETER_DB) & ~has_voice
    if echoes:
        soft |= softer(_QUIETER_DB)
    said = [
        (start - _BESIDE_WORDS_SECONDS, end + _BESIDE_WORDS_SECONDS)
        for start, end in [*words, *ums]
    ]
    taken = spans.frames_inside(spans.merged(said), step=sound.step, count=count)
    free = measured & ~taken & spans.frames_inside(speech, step=sound.step, count=count)

    def lasting(mask: NDArray[np.bool_], seconds: float) -> list[Span]:
        found = spans.spans_of(mask & free, step=sound.step)
        return [(start, end) for start, end in found if end - start >= seconds - 1e-9]

    loud = lasting(~has_voice, _SHORTEST_LOUD_SECONDS)
    silent = lasting(softer(_SILENT_DB) & ~has_voice, _SHORTEST_SILENT_SECONDS)
    return spans.merged([*lasting(soft, _SHORTEST_NOISE_SECONDS), *loud, *silent])


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
