"""Sound lands at its media time, whatever the file does to its clock."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from av.audio.frame import AudioFrame
from hypothesis import given
from hypothesis import strategies as st

from analysis.backends.media.audio import AudioWriter, read_audio, release_memory
from analysis.backends.media.decode import ticks_in_seconds
from analysis.errors import MediaTooLong
from analysis.ports import FloatArray
from tests.analysis.recordings import RATE_HZ, Picture, Tone, audio_frame, read, record


def loud(samples: FloatArray, start: float, end: float) -> bool:
    return float(abs(samples[round(start * RATE_HZ) : round(end * RATE_HZ)]).max()) > 0.1


def tone(seconds: float, rate_hz: int = RATE_HZ, layout: str = "mono") -> AudioFrame:
    clock = np.arange(round(seconds * rate_hz)) / rate_hz
    return audio_frame(0.5 * np.sin(2 * np.pi * 220 * clock), rate_hz=rate_hz, layout=layout)


def written(*frames: tuple[AudioFrame, float | None], claimed: float | None = None) -> FloatArray:
    """What a writer makes of frames with their times."""
    file = BytesIO()
    writer = AudioWriter(file, claimed=claimed, max_seconds=60.0)
    for frame, time in frames:
        writer.add(frame, time)
    writer.finish()
    return np.frombuffer(file.getvalue(), dtype="<f4")


def test_late_sound_begins_late(tmp_path: Path) -> None:
    path = record(
        tmp_path / "late.mkv",
        picture=Picture(times=[index / 25 for index in range(100)]),
        tone=Tone(start=2.0, seconds=2.0),
    )
    media, samples = read(path)
    assert media.audio is not None
    assert media.audio.start == pytest.approx(2.0, abs=0.1)
    assert not loud(samples, 0.0, 1.9)
    assert loud(samples, 2.1, 3.8)


def test_a_gap_in_the_file_is_silence(tmp_path: Path) -> None:
    path = record(
        tmp_path / "gap.mkv",
        tone=Tone(codec="pcm_s16le", seconds=3.0, gap_at=1.0, gap_seconds=1.5),
    )
    media, samples = read(path)
    assert media.duration == pytest.approx(4.5, abs=0.1)
    assert loud(samples, 0.2, 0.9)
    assert not loud(samples, 1.15, 2.4)
    assert loud(samples, 2.7, 4.3)


@pytest.mark.parametrize("layout", ["mono", "stereo", "5.1"])
def test_any_number_of_channels_becomes_one(tmp_path: Path, layout: str) -> None:
    path = record(tmp_path / "a.wav", tone=Tone(codec="pcm_s16le", layout=layout))
    media, samples = read(path)
    assert media.duration == pytest.approx(2.0, abs=0.1)
    assert loud(samples, 0.5, 1.5)


def pair(first: FloatArray, second: FloatArray) -> AudioFrame:
    planes = np.ascontiguousarray(np.stack([first, second]).astype(np.float32))
    frame = AudioFrame.from_ndarray(planes, format="fltp", layout="stereo")
    frame.sample_rate = RATE_HZ
    return frame


def sine(gain: float) -> FloatArray:
    wave = gain * np.sin(2 * np.pi * 220 * np.arange(RATE_HZ) / RATE_HZ)
    return wave.astype(np.float32)


def peak(samples: FloatArray) -> float:
    return float(np.abs(samples[1000:-1000]).max())


@pytest.mark.parametrize("other", [-1.0, -0.9, -0.3])
def test_a_channel_that_is_wired_the_wrong_way_round_cancels_no_voice(other: float) -> None:
    samples = written((pair(sine(0.8), sine(0.8 * other)), 0.0))
    assert peak(samples) == pytest.approx(0.8 * (1 - other) / 2, rel=0.02)


@pytest.mark.parametrize("other", [1.0, 0.5, 0.0])
def test_two_channels_are_no_louder_than_one_so_that_nothing_is_cut_off(other: float) -> None:
    samples = written((pair(sine(0.9), sine(0.9 * other)), 0.0))
    assert peak(samples) == pytest.approx(0.9 * (1 + other) / 2, rel=0.02)


def test_channels_that_have_nothing_to_do_with_each_other_are_added() -> None:
    random = np.random.default_rng(3)
    first, second = (0.1 * random.standard_normal((2, RATE_HZ))).astype(np.float32)
    samples = written((pair(first, second), 0.0))
    assert samples[:RATE_HZ] == pytest.approx((first + second) / 2, abs=1e-4)


def test_one_moment_of_opposite_phase_turns_nothing_round() -> None:
    agreeing, opposite = pair(sine(0.5), sine(0.5)), pair(sine(0.1), -sine(0.1))
    samples = written((agreeing, 0.0), (opposite, 1.0), (agreeing, 2.0))
    assert peak(samples[:RATE_HZ]) == pytest.approx(0.5, rel=0.02)
    assert peak(samples[2 * RATE_HZ :]) == pytest.approx(0.5, rel=0.02)


def two_microphones(*, late: int, gain: float, seed: int = 5) -> FloatArray:
    """Somebody heard by one microphone and, so many samples later, by another."""
    source = 0.1 * np.random.default_rng(seed).standard_normal(10 * RATE_HZ)
    return np.stack([source, gain * np.roll(source, late)]).astype(np.float32)


def ten_seconds(heard: FloatArray) -> FloatArray:
    seconds = np.split(heard, 10, axis=1)
    return written(*((pair(*each), float(at)) for at, each in enumerate(seconds)))


@pytest.mark.parametrize(("late", "gain"), [(48, 1.0), (128, 0.5)])
@pytest.mark.parametrize("turned", [False, True])
def test_of_a_voice_that_one_microphone_hears_later_the_first_is_taken(
    late: int, gain: float, turned: bool
) -> None:
    heard = two_microphones(late=late, gain=gain)
    samples = ten_seconds(heard[::-1] if turned else heard)
    rest = slice(6 * RATE_HZ, 9 * RATE_HZ)
    assert samples[rest] == pytest.approx(heard[0, rest], abs=1e-4)


def test_of_two_people_with_a_microphone_each_both_are_heard() -> None:
    one, other = (two_microphones(late=80, gain=0.3, seed=seed) for seed in (5, 6))
    heard = one + other[::-1]
    samples = ten_seconds(heard)
    rest = slice(6 * RATE_HZ, 9 * RATE_HZ)
    assert samples[rest] == pytest.approx(heard[:, rest].mean(axis=0), abs=1e-4)


def test_the_pitch_survives_resampling(tmp_path: Path) -> None:
    path = record(tmp_path / "a.flac", tone=Tone(codec="flac", rate_hz=44_100))
    samples = read(path)[1][RATE_HZ // 2 : RATE_HZ // 2 + RATE_HZ]
    spectrum = abs(np.fft.rfft(samples))
    assert int(spectrum.argmax()) == pytest.approx(220, abs=1)


def test_a_rate_that_changes_midway_keeps_the_time() -> None:
    samples = written((tone(1.0), 0.0), (tone(1.0, 44_100, "stereo"), 1.0), (tone(1.0), 2.0))
    assert len(samples) / RATE_HZ == pytest.approx(3.0, abs=0.02)
    assert loud(samples, 1.2, 1.8)


def test_a_clock_that_jumps_back_goes_on() -> None:
    samples = written((tone(1.0), 0.0), (tone(1.0), 0.0), (tone(1.0), 1.0))
    assert len(samples) / RATE_HZ == pytest.approx(3.0, abs=0.02)


def test_a_time_stamp_from_nowhere_is_not_believed() -> None:
    samples = written((tone(1.0), 0.0), (tone(1.0), 1e9), (tone(1.0), 1e9 + 1))
    assert len(samples) / RATE_HZ == pytest.approx(3.0, abs=0.02)


def test_a_long_gap_is_believed_where_the_file_claims_the_length() -> None:
    samples = written((tone(1.0), 0.0), (tone(1.0), 45.0), claimed=46.0)
    assert len(samples) / RATE_HZ == pytest.approx(46.0, abs=0.02)


def test_sound_before_the_start_is_cut() -> None:
    samples = written((tone(0.5), -0.2), (tone(0.5), 0.3))
    assert len(samples) / RATE_HZ == pytest.approx(0.8, abs=0.02)


@given(
    ticks=st.integers(-(2**63), 2**63 - 1),
    base=st.builds(Fraction, st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1)),
)
def test_a_time_is_that_of_the_fraction_to_the_last_bit(ticks: int, base: Fraction) -> None:
    assert ticks_in_seconds(ticks, base) == float(ticks * base)


def test_frames_without_times_follow_each_other() -> None:
    samples = written((tone(0.5), None), (tone(0.5), None))
    assert len(samples) / RATE_HZ == pytest.approx(1.0, abs=0.02)


def test_values_that_are_no_numbers_become_silence() -> None:
    broken = audio_frame(np.full(1600, np.nan), rate_hz=RATE_HZ, layout="mono")
    samples = written((broken, 0.0), (tone(0.1), 0.1))
    assert np.isfinite(samples).all()


@pytest.mark.parametrize("rate_hz", [8, 4_000_000])
def test_an_absurd_sample_rate_is_refused(rate_hz: int) -> None:
    writer = AudioWriter(BytesIO(), claimed=None, max_seconds=60.0)
    assert not writer.add(audio_frame(np.zeros(100), rate_hz=rate_hz, layout="mono"), 0.0)


def test_more_sound_than_allowed_is_refused_while_decoding() -> None:
    writer = AudioWriter(BytesIO(), claimed=None, max_seconds=1.0)
    assert writer.add(tone(0.5), 0.0)
    with pytest.raises(MediaTooLong):
        writer.add(tone(0.6), 0.5)


def test_what_was_let_go_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "audio.f32"
    np.arange(100_000, dtype="<f4").tofile(path)
    audio = read_audio(path)
    assert float(audio.sum()) > 0
    release_memory(audio)
    assert audio[-1] == 99_999
    release_memory(np.zeros(3, dtype=np.float32))
