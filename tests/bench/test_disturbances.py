"""Each disturbance is what its name says, on a made voice."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.ports import FloatArray
from bench.judgement.planting import RATE_HZ
from bench.listening.disturbances import DISTURBANCES, CleanTalk

BREAK_SECONDS = 40.0


def take() -> CleanTalk:
    """Four sentences of a second with pauses of 0.8 s, in a quiet room."""
    random = np.random.default_rng(1)
    said = (0.1 * np.sin(2 * np.pi * 150 * np.arange(RATE_HZ) / RATE_HZ)).astype(np.float32)
    pause = np.zeros(round(0.8 * RATE_HZ), dtype=np.float32)
    sound = np.concatenate([pause, *[said, pause] * 4])
    sound += random.normal(0, 3e-4, len(sound)).astype(np.float32)
    spans = tuple((0.8 + 1.8 * index, 1.8 + 1.8 * index) for index in range(4))
    return CleanTalk(sound, spans, (said[: RATE_HZ // 2],))


def level_db(sound: FloatArray, span: tuple[float, float]) -> float:
    part = sound[round(span[0] * RATE_HZ) : round(span[1] * RATE_HZ)]
    return 20 * float(np.log10(np.sqrt(np.mean(part**2))))


@pytest.mark.parametrize("name", DISTURBANCES)
def test_a_disturbed_talk_is_as_long_and_not_clipped(name: str) -> None:
    whole = take()
    sound = DISTURBANCES[name](whole)
    longer = BREAK_SECONDS if "break" in name else 0.0
    assert len(sound) == pytest.approx(len(whole.sound) + longer * RATE_HZ, abs=RATE_HZ / 10)
    assert sound.dtype == np.float32
    assert np.isfinite(sound).all()
    assert np.abs(sound).max() < 1.0
    assert not np.array_equal(sound, whole.sound)


def test_a_gate_leaves_its_floor_in_the_pauses_and_the_words_as_they_are() -> None:
    whole = take()
    gated = DISTURBANCES["noise gate, to -98 dB"](whole)
    start, end = whole.pauses[1]
    assert level_db(gated, (start + 0.2, end - 0.2)) == pytest.approx(-98, abs=1)
    said = whole.sentences[1]
    assert level_db(gated, said) == pytest.approx(level_db(whole.sound, said), abs=0.1)


def test_a_neighbour_is_as_far_under_the_voice_as_is_said() -> None:
    whole = take()
    added = DISTURBANCES["a neighbour, 15 dB under the voice"](whole) - whole.sound
    loud = added[np.abs(added) > 1e-6]
    under = level_db(whole.sound, whole.sentences[0]) - 20 * np.log10(np.sqrt(np.mean(loud**2)))
    assert under == pytest.approx(15, abs=0.5)
