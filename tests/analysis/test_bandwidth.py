"""Telephones and masks take what lies over 4 kHz, and soften the ends of some sentences with it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import butter, sosfilt

from analysis.analysers.loudness import Loudness
from analysis.backends.sound.listening import listen
from analysis.ports import SAMPLE_RATE_HZ, FloatArray
from analysis.talk.bandwidth import is_narrow
from tests.analysis.spoken import noise, silence, sound_of, speech_of, talk_of, voice, words


def with_consonants(seconds: float = 8.0) -> FloatArray:
    """A vowel and an s by turns, as any speech has them, in a quiet room."""
    turns = [part for _ in range(int(seconds)) for part in (voice(0.8), _hiss(0.2))]
    return np.concatenate([*turns, silence(0.5)])


def _hiss(seconds: float) -> FloatArray:
    hissing: FloatArray = _kept(noise(seconds, gain=0.02), 3500, 7500)
    return hissing


def _kept(sound: FloatArray, low: float, high: float) -> FloatArray:
    sections = butter(12, [low, high], "band", fs=SAMPLE_RATE_HZ, output="sos")
    found: FloatArray = sosfilt(sections, sound).astype(np.float32)
    return found


@pytest.mark.parametrize(
    ("low", "high", "is_so"),
    [(40, 7800, False), (300, 7800, False), (300, 3400, True), (40, 2200, True)],
)
def test_a_telephone_and_a_mask_are_told_by_what_they_take(
    low: float, high: float, *, is_so: bool
) -> None:
    heard = _kept(with_consonants(), low, high)
    speech = ((0.0, 8.0),)
    assert is_narrow(speech, listen(heard, speech=speech, progress=lambda _: None)) is is_so


def test_a_series_without_timbre_and_a_talk_without_speech_tell_nothing() -> None:
    sound = sound_of(((0.0, 5.0),), 6.0)
    assert is_narrow(((0.0, 5.0),), sound) is False
    assert is_narrow((), sound) is False


@pytest.mark.parametrize(
    ("drop_db", "wide", "narrow"), [(7.0, 0, 0), (10.0, 25, 0), (16.0, 25, 25)]
)
def test_over_a_telephone_an_end_has_to_fall_further(
    drop_db: float, wide: int, narrow: int
) -> None:
    said = words("we had seen the boats come in that day. | " * 25)
    seconds = said[-1].end + 1
    for cut, expected in ((0.0, wide), (40.0, narrow)):
        sound = sound_of(speech_of(said), seconds)
        # The first coefficient leans the spectrum towards what is low.
        sound.timbre[:, 0] = cut
        for _start, end in speech_of(said):
            sound.level_db[round((end - 0.5) * 100) : round(end * 100) + 1] -= drop_db
        assert is_narrow(speech_of(said), sound) is bool(cut)
        events = Loudness().measure(talk_of(said, sound=sound)).events
        assert len(events) == expected
