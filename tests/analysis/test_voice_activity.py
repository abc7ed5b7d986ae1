from __future__ import annotations

import numpy as np
import pytest

from analysis.backends.speech.voice_activity import find_speech
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Span
from tests.analysis.spoken import noise, silence


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
