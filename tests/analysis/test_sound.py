from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import resample_poly

from analysis.backends.sound.listening import listen
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Sound
from tests.analysis.spoken import noise, silence, voice


def heard(audio: FloatArray) -> Sound:
    return listen(audio, speech=((0.0, len(audio) / SAMPLE_RATE_HZ),), progress=lambda _: None)


@pytest.mark.parametrize("hz", [85.0, 120.0, 210.0, 330.0])
def test_the_pitch_of_a_vowel_is_found_within_a_tenth_of_a_semitone(hz: float) -> None:
    f0 = heard(voice(2.0, hz=hz)).f0_hz
    voiced = f0[np.isfinite(f0)]
    assert len(voiced) > 180
    assert np.abs(12 * np.log2(voiced / hz)).max() < 0.1


def test_a_gliding_pitch_is_followed_without_octave_jumps() -> None:
    glide = np.linspace(100, 200, 3 * SAMPLE_RATE_HZ)
    f0 = heard(voice(3.0, hz=glide.astype(np.float32))).f0_hz
    expected = glide[(np.arange(len(f0)) * 160 + 80).clip(max=len(glide) - 1)]
    voiced = np.isfinite(f0)
    assert voiced.mean() > 0.95
    assert np.abs(12 * np.log2(f0[voiced] / expected[voiced])).max() < 0.5


def test_silence_and_noise_have_no_pitch() -> None:
    assert not np.isfinite(heard(silence(2.0)).f0_hz).any()
    assert np.isfinite(heard(noise(3.0)).f0_hz).mean() < 0.02


def test_there_is_no_pitch_outside_speech() -> None:
    sound = listen(voice(3.0), speech=((1.0, 2.0),), progress=lambda _: None)
    voiced = np.flatnonzero(np.isfinite(sound.f0_hz)) * sound.step
    assert voiced.min() >= 0.99
    assert voiced.max() < 2.0


def test_shifting_the_pitch_by_four_semitones_leaves_its_spread_unchanged() -> None:
    time = np.arange(4 * SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ
    tune = (120 * 2 ** (2 * np.sin(2 * np.pi * 0.7 * time) / 12)).astype(np.float32)
    spreads = []
    for shift in (0, 4):
        f0 = heard(voice(4.0, hz=tune * np.float32(2 ** (shift / 12)))).f0_hz
        spreads.append(float(np.nanstd(12 * np.log2(f0))))
    assert spreads[1] == pytest.approx(spreads[0], abs=0.05)


def test_gain_moves_the_level_and_nothing_else() -> None:
    quiet, loud = heard(voice(2.0, gain=0.05)), heard(voice(2.0, gain=0.2))
    assert np.median(loud.level_db - quiet.level_db) == pytest.approx(12.04, abs=0.05)
    assert np.allclose(loud.f0_hz[20:-20], quiet.f0_hz[20:-20], rtol=1e-3)


def test_a_steady_vowel_changes_less_than_changing_ones() -> None:
    steady = voice(1.0)
    pieces = [voice(0.1, hz=hz) for hz in (100, 300, 140, 260, 110, 320, 150, 280, 130, 310)]
    flux = heard(np.concatenate([steady, *pieces])).flux
    assert np.median(flux[10:90]) < 0.5 * np.median(flux[110:190])


def test_clipping_is_runs_at_the_limit_not_single_peaks() -> None:
    clean = voice(1.0, gain=0.5)
    peaks = clean.copy()
    peaks[::4000] = 1.0
    assert heard(peaks).clipped.max() == 0.0
    assert heard(np.clip(voice(1.0, gain=4.0), -1, 1)).clipped.mean() > 0.1


def speaking(seconds: float = 20.0, *, gain: float = 0.5) -> FloatArray:
    """A voice whose loudness and pitch move from syllable to syllable."""
    random = np.random.default_rng(5)
    syllables = [
        voice(0.2, hz=float(random.uniform(100, 180)), gain=float(gain * random.gamma(3, 0.2)))
        for _ in range(round(seconds / 0.2))
    ]
    return np.concatenate(syllables)


@pytest.mark.parametrize("turned_down", [0.2, 0.5, 0.9])
def test_clipping_that_was_turned_down_afterwards_is_seen(turned_down: float) -> None:
    loud = np.clip(speaking(gain=2.0), -1, 1)
    cut_off = float((np.abs(loud) >= 1).mean())
    assert heard(turned_down * loud).clipped.mean() == pytest.approx(cut_off, rel=0.2)


def test_clipping_is_seen_through_another_sampling_rate() -> None:
    finely = resample_poly(speaking(gain=2.0), 3, 1)
    cut_off = np.clip(finely, -1, 1)
    share = float((np.abs(cut_off) >= 1).mean())
    turned_down = resample_poly(0.5 * cut_off, 1, 3).astype(np.float32)
    assert heard(turned_down).clipped.mean() == pytest.approx(share, rel=0.3)


@pytest.mark.parametrize("gain", [0.05, 0.3])
def test_a_voice_that_was_never_cut_off_is_not_clipped(gain: float) -> None:
    assert heard(speaking(gain=gain)).clipped.max() == 0.0


OFFSETS: dict[str, Callable[[int], NDArray[np.float64]]] = {
    "constant": lambda count: np.full(count, 0.35),
    "below": lambda count: np.full(count, -0.45),
    "jumps": lambda count: np.where(np.arange(count) < count // 2, 0.0, 0.4),
    "drifts": lambda count: 0.3 * np.sin(np.arange(count) / 160_000),
}


@pytest.mark.parametrize("offset", OFFSETS)
def test_a_voice_that_does_not_rest_at_zero_is_not_clipped(offset: str) -> None:
    syllables = speaking(gain=0.3).reshape(-1, 3200)
    pauses = np.zeros_like(syllables)
    talk = np.concatenate([syllables, pauses], axis=1).reshape(-1)
    moved = talk + OFFSETS[offset](len(talk))
    assert heard(moved.astype(np.float32)).clipped.max() == 0.0


def test_a_voice_that_is_always_on_one_side_is_not_clipped() -> None:
    assert heard(np.abs(speaking(gain=0.3))).clipped.max() == 0.0
    assert heard(np.abs(speaking(gain=0.3)) + np.float32(0.2)).clipped.max() == 0.0
    assert heard(np.maximum(speaking(gain=0.3), 0)).clipped.max() == 0.0


@pytest.mark.parametrize("offset", [0.0, 0.3, -0.3])
def test_what_was_cut_off_is_seen_wherever_the_signal_rests(offset: float) -> None:
    loud = np.clip(speaking(gain=2.0), -1, 1)
    cut_off = float((np.abs(loud) >= 1).mean())
    moved = (0.5 * loud + offset).astype(np.float32)
    assert heard(moved).clipped.mean() == pytest.approx(cut_off, rel=0.2)


def test_blocks_leave_no_seam_and_every_10_ms_has_a_value() -> None:
    sound = heard(np.tile(voice(13.0), 5))
    assert len(sound.f0_hz) == len(sound.level_db) == len(sound.timbre) == 6500
    around = sound.level_db[2990:3010]
    assert float(around.max() - around.min()) < 1.0
    assert np.isfinite(sound.f0_hz[2990:3010]).all()


def test_an_empty_recording_has_empty_series() -> None:
    assert len(heard(silence(0.0)).f0_hz) == 0


def test_a_click_does_not_silence_a_soft_voice() -> None:
    audio = voice(3.0, gain=0.02)
    audio[8000:8010] = 1.0
    assert np.isfinite(heard(audio).f0_hz).mean() > 0.9
