"""The sound that is heard is the one with the voice, wherever it stands in the file."""

from __future__ import annotations

import wave
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from av.audio.frame import AudioFrame

from analysis.backends.media.audio import read_audio
from analysis.backends.media.playback import make_playback
from analysis.backends.media.probe import read_media
from analysis.errors import NothingDecodable
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Limits
from analysis.results import MediaInfo
from bench.listening.synthetic_voice import say

LONG = "Good morning, everyone, and thank you for coming to my talk about the lake today."
SHORT = "Good morning."


def spoken(text: str) -> FloatArray:
    voice = 0.3 * say((text,), voice="en-us", pause=0.3, words_a_minute=150).audio
    whole = np.zeros(6 * SAMPLE_RATE_HZ, dtype=np.float32)
    whole[: len(voice)] = voice[: len(whole)]
    return whole


@pytest.fixture(scope="module")
def voice() -> FloatArray:
    return spoken(LONG)


@pytest.fixture(scope="module")
def greeting() -> FloatArray:
    return spoken(SHORT)


def nothing() -> FloatArray:
    return np.zeros(6 * SAMPLE_RATE_HZ, dtype=np.float32)


def tones() -> FloatArray:
    at = np.arange(6 * SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ
    swelling = 0.3 * np.sin(2 * np.pi * 440 * at) * (1 + np.sin(2 * np.pi * 3 * at))
    samples: FloatArray = swelling.astype(np.float32)
    return samples


def in_tracks(path: Path, codec: str, tracks: Sequence[FloatArray]) -> Path:
    with av.open(str(path), "w") as output:
        streams: list[Any] = [
            output.add_stream(codec, rate=SAMPLE_RATE_HZ, layout="mono") for _ in tracks
        ]
        for stream, samples in zip(streams, tracks, strict=True):
            form = stream.codec_context.format.name
            whole = (samples * 32767).astype("<i2") if form == "s16" else samples
            for first in range(0, len(whole), 1024):
                frame = AudioFrame.from_ndarray(
                    np.ascontiguousarray(whole[None, first : first + 1024]), form, "mono"
                )
                frame.sample_rate, frame.pts = SAMPLE_RATE_HZ, first
                output.mux(stream.encode(frame))
            output.mux(stream.encode(None))
    return path


def in_channels(path: Path, channels: Sequence[FloatArray]) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(len(channels))
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes((np.stack(channels, axis=1) * 32767).astype("<i2").tobytes())
    return path


def read(path: Path) -> tuple[MediaInfo, FloatArray]:
    raw = path.with_suffix(".f32")
    media = read_media(path, audio_path=raw, limits=Limits(), progress=lambda _: None)
    return media, np.array(read_audio(raw))


def is_the_same(heard: FloatArray, voice: FloatArray) -> bool:
    """But for a shift by an encoder's delay, and its level."""
    count = 1 << 18
    both = np.fft.irfft(np.fft.rfft(heard, count) * np.conj(np.fft.rfft(voice, count)))
    return bool(np.abs(both).max() > 0.8 * np.linalg.norm(heard) * np.linalg.norm(voice))


@pytest.mark.parametrize(("name", "codec"), [("obs.mkv", "aac"), ("camera.mov", "pcm_s16le")])
@pytest.mark.parametrize("other", ["nothing", "tones"])
def test_a_first_track_without_a_voice_is_passed_over_and_the_copy_has_the_one_that_was_heard(
    tmp_path: Path, voice: FloatArray, name: str, codec: str, other: str
) -> None:
    first = nothing() if other == "nothing" else tones()
    path = in_tracks(tmp_path / name, codec, [first, voice])
    media, heard = read(path)
    assert media.audio is not None
    assert (media.audio.track, media.audio.tracks, media.audio.channel) == (1, 2, None)
    assert is_the_same(heard, voice)
    [note] = media.notes
    assert (note.code, note.values) == ("sound_track_chosen", {"track": 2, "tracks": 2})
    copy = make_playback(path, media=media, folder=tmp_path, progress=lambda _: None)
    assert is_the_same(read(copy)[1], voice)


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_voices_the_one_that_speaks_more_is_heard(
    tmp_path: Path, voice: FloatArray, greeting: FloatArray, turned: bool
) -> None:
    tracks = [greeting, voice]
    media, heard = read(in_tracks(tmp_path / "both.mkv", "aac", tracks[::-1] if turned else tracks))
    assert media.audio is not None
    assert media.audio.track == (0 if turned else 1)
    assert is_the_same(heard, voice)
    assert [note.code for note in media.notes] == ["sound_track_chosen"]


def test_tracks_that_say_as_much_are_left_to_the_choice_of_players(
    tmp_path: Path, voice: FloatArray
) -> None:
    path = in_tracks(tmp_path / "twice.mp4", "aac", [voice, 0.5 * voice])
    media, _heard = read(path)
    assert media.audio is not None
    assert media.audio.track == 0


def test_without_any_voice_the_track_with_a_sound_is_heard(tmp_path: Path) -> None:
    media, heard = read(in_tracks(tmp_path / "tones.mkv", "aac", [nothing(), tones()]))
    assert media.audio is not None
    assert media.audio.track == 1
    assert np.abs(heard).max() > 0.1


@pytest.mark.parametrize(("count", "microphone"), [(3, 2), (4, 2), (6, 3), (8, 3), (60, 41)])
def test_a_voice_on_any_of_many_channels_is_heard_alone_and_as_loud_as_it_is(
    tmp_path: Path, voice: FloatArray, count: int, microphone: int
) -> None:
    hiss = np.random.default_rng(1).normal(0, 0.001, (count, len(voice))).astype(np.float32)
    hiss[microphone] += voice
    path = in_channels(tmp_path / "many.wav", list(hiss))
    media, heard = read(path)
    assert media.audio is not None
    assert (media.audio.channel, media.audio.channels) == (microphone, count)
    assert heard.std() == pytest.approx(hiss[microphone].std(), rel=0.02)
    assert [note.code for note in media.notes] == ["sound_channel_chosen"]
    copy = make_playback(path, media=media, folder=tmp_path, progress=lambda _: None)
    assert is_the_same(read(copy)[1], voice)


def test_of_two_microphones_on_many_channels_the_one_with_less_noise_is_heard(
    tmp_path: Path, voice: FloatArray
) -> None:
    noise = np.random.default_rng(2).normal(0, 0.01, len(voice)).astype(np.float32)
    far = 0.4 * voice + noise
    media, _heard = read(in_channels(tmp_path / "poly.wav", [far, nothing(), 0.5 * voice, noise]))
    assert media.audio is not None
    assert media.audio.channel == 2


def test_one_track_of_one_or_two_channels_is_as_it_was_and_nothing_is_said(
    tmp_path: Path, voice: FloatArray
) -> None:
    for channels in ([voice], [voice, voice]):
        media, _heard = read(in_channels(tmp_path / "plain.wav", channels))
        assert media.audio is not None
        assert media.audio.channel is None
        assert media.notes == ()


def test_a_further_track_that_nobody_can_decode_is_no_alarm(
    tmp_path: Path, voice: FloatArray
) -> None:
    path = in_tracks(tmp_path / "phone.mov", "aac", [voice, nothing()])
    content = path.read_bytes()
    first = content.index(b"mp4a", content.index(b"moov"))
    for name, unknown in ((b"mp4a", b"apac"), (b"esds", b"dapa")):
        at = content.index(name, first + 200)
        content = content[:at] + unknown + content[at + 4 :]
    path.write_bytes(content)
    media, heard = read(path)
    assert media.notes == ()
    assert is_the_same(heard, voice)


def test_sound_that_nobody_can_decode_is_told_where_there_is_no_other(
    tmp_path: Path, voice: FloatArray
) -> None:
    path = in_tracks(tmp_path / "phone.mov", "aac", [voice])
    path.write_bytes(path.read_bytes().replace(b"mp4a", b"apac").replace(b"esds", b"dapa"))
    with pytest.raises(NothingDecodable):
        read(path)
