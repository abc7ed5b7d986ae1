"""Helpers that several benchmarks share: intervals, counts and sounds."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from bench.counts import Count, f1, precision, recall
from bench.intervals import resampled
from bench.sounds import from_whole_numbers, in_a_room, kept, whole_numbers, write_wave


def test_precision_recall_and_f1_add_up_over_recordings() -> None:
    counts = [Count(hits=3, false=1, missed=0), Count(hits=0, false=0, missed=2)]
    assert precision(counts) == 0.75
    assert recall(counts) == 0.6
    assert f1(counts) == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert f1([Count()]) is None


def test_an_interval_needs_three_and_a_measure_that_says_something() -> None:
    def mean(some: object) -> float:
        return float(np.mean(some))  # type: ignore[call-overload]

    assert resampled([1.0, 2.0], mean) is None
    assert resampled([1.0, 2.0, 3.0], lambda _some: None) is None
    assert resampled([2.0, 2.0, 2.0], mean) == (2.0, 2.0)
    found = resampled([0.0, 1.0, 2.0, 3.0], mean)
    assert found is not None
    assert 0.0 <= found[0] < 1.5 < found[1] <= 3.0


def test_an_array_is_made_once_and_then_read(tmp_path: Path) -> None:
    place, calls = tmp_path / "a" / "array.npy", []

    def make() -> np.ndarray:
        calls.append(1)
        return np.arange(3)

    assert kept(place, make).tolist() == kept(place, make).tolist() == [0, 1, 2]
    assert len(calls) == 1
    assert [each.name for each in place.parent.iterdir()] == ["array.npy"]


def test_a_wave_file_holds_the_sound_and_clips_what_is_louder(tmp_path: Path) -> None:
    sound = np.array([0.0, 0.5, -0.5, 2.0], dtype=np.float32)
    write_wave(tmp_path / "a.wav", sound, 16_000)
    with wave.open(str(tmp_path / "a.wav")) as file:
        assert file.getparams()[:4] == (1, 2, 16_000, 4)
    assert from_whole_numbers(whole_numbers(sound)) == pytest.approx([0, 0.5, -0.5, 1], abs=1e-4)


def test_a_room_is_quiet_and_the_same_for_the_same_seed() -> None:
    sound = np.zeros(24_000, dtype=np.float32)
    sound[:100] = 0.1
    room = in_a_room(sound)
    assert np.array_equal(room, in_a_room(sound))
    assert not np.array_equal(room, in_a_room(sound, seed=2))
    assert 20 * np.log10(np.std(room[200:])) == pytest.approx(-62, abs=0.5)
    assert np.abs(room).max() == pytest.approx(0.5, abs=0.01)
