from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.backends.speech import second_opinion
from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from tests.analysis.spoken import noise, said, silence

TALK = ("The lake is deeper than it looks.", "Nobody has measured it before us.")


def found(audio: FloatArray) -> tuple[Span, ...]:
    return find_speech(audio, progress=lambda _: None)


def music(seconds: float) -> FloatArray:
    """Chords of struck, decaying tones."""
    time = np.arange(int(seconds * SAMPLE_RATE_HZ)) / SAMPLE_RATE_HZ
    sound = np.zeros(len(time))
    for beat in range(int(seconds / 0.5)):
        since = np.clip(time - beat * 0.5, 0, None)
        struck = (since > 0) * np.exp(-3 * since)
        for note in (220.0, 277.2, 329.6)[: 1 + beat % 3]:
            sound += struck * np.sin(2 * np.pi * note * 2 ** ((beat % 7) / 12) * since)
    return (0.3 * sound / np.abs(sound).max()).astype(np.float32)


@pytest.mark.parametrize(
    "audio",
    [silence(0.0), silence(5.0), noise(10.0, gain=0.1), music(12.0), silence(0.02)],
    ids=["nothing", "silence", "noise", "music", "two hundredths of a second"],
)
def test_no_speech_is_found_where_nobody_speaks(audio: FloatArray) -> None:
    assert found(audio) == ()


def test_progress_reaches_the_end() -> None:
    seen: list[float] = []
    find_speech(silence(150.0), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert len(seen) >= 3


@pytest.mark.parametrize("level", [0.02, 1.0], ids=["a microphone turned down", "as recorded"])
def test_how_loud_a_recording_is_does_not_decide_where_somebody_speaks(level: float) -> None:
    usual = said(TALK)
    speech, expected = found((level * usual).astype(np.float32)), found(usual)
    assert len(speech) == len(expected) > 0
    assert np.array(speech) == pytest.approx(np.array(expected), abs=0.05)


@pytest.mark.usefixtures("models")
def test_the_second_opinion_hears_a_voice_and_no_noise() -> None:
    gain = np.float32(1.0)
    assert np.median(second_opinion.probabilities(said(TALK), gain)) > 0.5
    assert second_opinion.probabilities(noise(4.0, gain=0.1), gain).max() < 0.5


def test_without_its_model_there_is_no_second_opinion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    second_opinion.session.cache_clear()
    assert len(second_opinion.probabilities(silence(1.0), np.float32(1.0))) == 0
