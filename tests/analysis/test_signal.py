from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.analysers.signal import Signal
from analysis.results import Reason, Skipped
from tests.analysis.spoken import sound_of, speech_of, talk_of, words

SPOKEN = words("we had seen the boats come in that day. | " * 10)
SPEECH = speech_of(SPOKEN)


def test_noise_is_measured_in_the_gaps_between_speech() -> None:
    sound = sound_of(SPEECH, 40.0, floor_db=-52.0)
    found = Signal().measure(talk_of(SPOKEN, sound=sound)).measurements["signal.snr_db"]
    assert found.value == pytest.approx(32.0)


def test_without_gaps_there_is_no_telling_the_noise() -> None:
    spoken = words("we had seen the boats " * 20)
    found = Signal().measure(talk_of(spoken))
    assert found.skipped["signal.snr_db"].reason is Reason.LOW_COVERAGE


def test_clipping_is_a_share_of_speech() -> None:
    sound = sound_of(SPEECH, 40.0)
    clipped = replace(sound, clipped=np.full(len(sound.clipped), 0.01, dtype=np.float32))
    found = Signal().measure(talk_of(SPOKEN, sound=clipped)).measurements
    assert found["signal.clipping_share"].value == pytest.approx(0.01)


def test_speech_and_talk_are_measured_in_seconds() -> None:
    found = Signal().measure(talk_of(SPOKEN)).measurements
    assert found["signal.speech_seconds"].value == pytest.approx(27.0)
    assert found["signal.talk_seconds"].value == pytest.approx(36.0)


def test_opening_and_closing_hold_ten_seconds_of_speech_each() -> None:
    opening, closing = Signal().measure(talk_of(SPOKEN)).events
    assert (opening.kind, opening.start, opening.end) == ("opening", 0.0, pytest.approx(13.0))
    assert (closing.kind, closing.end) == ("closing", pytest.approx(36.0))
    assert closing.start == pytest.approx(23.0)


def test_a_short_take_has_neither() -> None:
    assert Signal().measure(talk_of(words("hello there"))).events == ()


def test_no_audio_says_so_everywhere() -> None:
    no_audio = Skipped.because(Reason.NO_AUDIO, "in_words", words="no sound")
    found = Signal().measure(talk_of([], absent={"audio": no_audio}))
    assert found.skipped == dict.fromkeys(Signal.provides, no_audio)
