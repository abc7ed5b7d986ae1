"""Small recordings made on the spot, with exactly known contents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.container import OutputContainer
from av.video.frame import VideoFrame
from numpy.typing import NDArray
from scipy.io import wavfile

from analysis.backends.media.audio import read_audio
from analysis.backends.media.probe import read_media
from analysis.pipeline import load_stage_report, run_stage
from analysis.ports import FloatArray, Limits, Options
from analysis.results import MediaInfo, Report

RATE_HZ = 16_000
TONE_HZ = 220.0
_CLOCK = Fraction(1, 90_000)
HEARING = ("prepare", "listen", "transcribe")
Rgb = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture track: its top left corner is white, the rest grey, one shade a second."""

    codec: str = "libx264"
    width: int = 160
    height: int = 96
    times: Sequence[float] = tuple(index / 25 for index in range(50))
    pixels: str = "yuv420p"
    rotation: float = 0.0
    mirrored: bool = False
    gray: int = 90
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Tone:
    """A sound track: a steady tone of half the full range."""

    codec: str = "aac"
    rate_hz: int = RATE_HZ
    layout: str = "mono"
    seconds: float = 2.0
    start: float = 0.0
    gap_at: float | None = None
    gap_seconds: float = 0.0
    level: float = 0.5


def record(
    path: Path,
    *,
    picture: Picture | None = None,
    tone: Tone | None = None,
    container: str | None = None,
    options: dict[str, str] | None = None,
) -> Path:
    """Write a recording and return its path. Packets are interleaved by time."""
    with (
        _scheduled_as_before(),
        av.open(str(path), "w", format=container, options=options or {}) as output,
    ):
        tracks: list[Iterator[Any]] = []
        if picture is not None:
            tracks.append(_pictures(output, picture))
        if tone is not None:
            tracks.append(_tones(output, tone))
        _mux(output, tracks)
    return path


@contextmanager
def _scheduled_as_before() -> Iterator[None]:
    """SVT-AV1 gives its thread priority over all others where root runs it, and leaves it there.

    What is started from then on has it too: a browser of a later test starved the whole machine.
    """
    policy, priority = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, priority)


def _mux(output: OutputContainer, tracks: Sequence[Iterator[Any]]) -> None:
    packets = [packet for track in tracks for packet in track]
    packets.sort(key=lambda packet: float(packet.dts * packet.time_base))
    for packet in packets:
        output.mux(packet)


def film(
    path: Path,
    paint: Callable[[float], Rgb],
    times: Sequence[float],
    *,
    on_its_side: bool = False,
    pixels: str = "yuv420p",
    voice: FloatArray | None = None,
) -> Path:
    """Painted pictures at these times, and a voice if any, unpacked as in a QuickTime file.

    `on_its_side`: as a phone held upright stores them, with a matrix that sets them up again.
    """
    with av.open(str(path), "w") as output:
        tracks = [_painted(output, paint, times, on_its_side, pixels)]
        if voice is not None:
            stream = output.add_stream("pcm_s16le", rate=RATE_HZ, layout="mono")
            tracks.append(_voice(stream, voice))
        _mux(output, tracks)
    return path


def _painted(
    output: OutputContainer,
    paint: Callable[[float], Rgb],
    times: Sequence[float],
    on_its_side: bool,
    pixels: str,
) -> Iterator[Any]:
    stream: Any = output.add_stream("libx264", rate=25, options={"preset": "veryfast"})
    height, width = paint(0.0).shape[1::-1] if on_its_side else paint(0.0).shape[:2]
    stream.width, stream.height, stream.pix_fmt = width // 2 * 2, height // 2 * 2, pixels
    if on_its_side:
        stream.set_display_rotation(-90)
    stream.codec_context.time_base = _CLOCK
    return _encoded_paintings(stream, paint, times, on_its_side)


def _encoded_paintings(
    stream: Any, paint: Callable[[float], Rgb], times: Sequence[float], on_its_side: bool
) -> Iterator[Any]:
    for time in times:
        rgb = np.rot90(paint(time)) if on_its_side else paint(time)
        inside = np.ascontiguousarray(rgb[: stream.height, : stream.width])
        frame = VideoFrame.from_ndarray(inside, format="rgb24")
        frame.pts, frame.time_base = round(time / _CLOCK), _CLOCK
        yield from stream.encode(frame)
    yield from stream.encode(None)


def _voice(stream: Any, voice: FloatArray) -> Iterator[Any]:
    samples = whole_numbers(voice)
    for first in range(0, len(samples), 1024):
        frame = AudioFrame.from_ndarray(
            samples[None, first : first + 1024], format="s16", layout="mono"
        )
        frame.sample_rate, frame.pts, frame.time_base = RATE_HZ, first, Fraction(1, RATE_HZ)
        yield from stream.encode(frame)
    yield from stream.encode(None)


def whole_numbers(sound: FloatArray) -> NDArray[np.int16]:
    """The samples as files hold them."""
    return (32767 * np.clip(sound, -1, 1)).astype(np.int16)


def save_sound(path: Path, sound: FloatArray) -> Path:
    """Write a sound file and return its path."""
    wavfile.write(path, RATE_HZ, whole_numbers(sound))
    return path


def analysed(
    path: Path, options: Options | None = None, *, stages: Sequence[str] = HEARING
) -> Report:
    """The report of a recording, from the real stages; their artefacts lie beside it in `work`."""
    workdir = path.parent / "work"
    for stage in (*stages, "assemble"):
        run_stage(stage, media_path=path, workdir=workdir, options=options or Options())
    return load_stage_report(workdir)


def _pictures(output: OutputContainer, picture: Picture) -> Iterator[Any]:
    stream = output.add_stream(picture.codec, rate=25, options=dict(picture.options))
    stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, picture.pixels
    if picture.rotation or picture.mirrored:
        stream.set_display_rotation(picture.rotation, hflip=picture.mirrored)
    # Old codecs only know whole frames as their clock.
    clock = _CLOCK if picture.codec in {"libx264", "libvpx"} else Fraction(1, 25)
    stream.codec_context.time_base = clock
    return _encoded_pictures(stream, picture, clock)


def _encoded_pictures(stream: Any, picture: Picture, clock: Fraction) -> Iterator[Any]:
    for time in picture.times:
        rgb = np.full((picture.height, picture.width, 3), picture.gray + int(time), dtype=np.uint8)
        if picture.gray:
            rgb[: picture.height // 3, : picture.width // 3] = 255
        frame = VideoFrame.from_ndarray(rgb, format="rgb24")
        frame.pts, frame.time_base = round(time / clock), clock
        yield from stream.encode(frame)
    yield from stream.encode(None)


def _tones(output: OutputContainer, tone: Tone) -> Iterator[Any]:
    stream = output.add_stream(tone.codec, rate=tone.rate_hz, layout=tone.layout)
    stream.bit_rate = 96_000
    return _encoded_tones(stream, tone)


def _encoded_tones(stream: Any, tone: Tone) -> Iterator[Any]:
    size = 1024
    for first in range(0, round(tone.seconds * tone.rate_hz), size):
        clock = (first + np.arange(size)) / tone.rate_hz
        wave = tone.level * np.sin(2 * np.pi * TONE_HZ * clock)
        start = tone.start + first / tone.rate_hz
        if tone.gap_at is not None and start >= tone.gap_at:
            start += tone.gap_seconds
        frame = audio_frame(wave, rate_hz=tone.rate_hz, layout=tone.layout)
        frame.pts = round(start * tone.rate_hz)
        frame.time_base = Fraction(1, tone.rate_hz)
        yield from stream.encode(frame)
    yield from stream.encode(None)


def audio_frame(wave: np.ndarray[Any, Any], *, rate_hz: int, layout: str) -> AudioFrame:
    """The same wave in each channel."""
    channels = {"mono": 1, "stereo": 2, "5.1": 6}[layout]
    planes = np.ascontiguousarray(np.tile(wave.astype(np.float32), (channels, 1)))
    frame = AudioFrame.from_ndarray(planes, format="fltp", layout=layout)
    frame.sample_rate = rate_hz
    return frame


def read(path: Path, limits: Limits | None = None) -> tuple[MediaInfo, FloatArray]:
    """What `prepare` would find: the description and the sound."""
    raw = path.with_name(f"{path.name}.f32")
    media = read_media(
        path, audio_path=raw, limits=limits or Limits(), progress=lambda _share: None
    )
    sound = read_audio(raw) if raw.exists() else np.zeros(0, dtype=np.float32)
    return media, sound
