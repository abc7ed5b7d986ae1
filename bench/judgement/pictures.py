"""The picture of a rehearsal: when somebody looks into the camera, down, aside, or is not there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np

from analysis.backends.media.frames import sampled_frames
from analysis.ports import FloatArray, Span
from bench.judgement import faults as f
from bench.judgement.faces import Head
from bench.judgement.planting import RATE_HZ

FPS = 12
# Labelled as looking into the camera, and real; heads are turned from there by these degrees.
PEOPLE = (
    *("4_gaze/frames/lp_d10_004.00.jpg", "4_gaze/frames/lp_d8_005.00.jpg"),
    *("4_gaze/frames/retalk_5_002.50.jpg", "4_gaze/frames/lp_d0_000.10.jpg"),
)
DOWN_DEGREES, ASIDE_DEGREES = 40.0, 32.0
"""The landmarker reads two thirds of a turn that the picture cannot show: 21 and 20 degrees."""
DOWNS_A_MINUTE, DOWN_SECONDS = (6.0, 9.0, 12.0), 1.8
ASIDE_SHARE = (0.7, 0.85, 1.0)
GONE_SHARE = (0.6, 0.8, 1.0)
_EPISODE_SECONDS = 12.0
"""How often somebody comes back who looks aside, or is gone, for most of the time."""
_ALIVE_DEGREES, _ALIVE_SECONDS, _ALIVE = 1.5, 0.4, 6
"""Nobody holds quite still: every so often the head stands a little differently."""
_GRAIN, _GRAINS = 2.0, 4
_FULL_SCALE = 32767
_LONGEST_SIDE = 854


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is seen, and the spans in seconds in which it is not the straight look."""

    kind: str
    spans: tuple[Span, ...]


def scene_of(faults: Sequence[str], strength: int, seconds: float) -> Scene:
    """What these faults do to the picture of a talk of that length."""
    for name, (kind, spans) in _SEEN.items():
        if name in faults:
            return Scene(kind=kind, spans=tuple(spans(strength, seconds)))
    return Scene(kind="straight", spans=())


def _downs(strength: int, seconds: float) -> list[Span]:
    every = 60.0 / DOWNS_A_MINUTE[strength]
    starts = np.arange(every / 2, seconds - DOWN_SECONDS, every)
    return [(float(at), float(at) + DOWN_SECONDS) for at in starts]


def _most_of(shares: Sequence[float]) -> Callable[[int, float], list[Span]]:
    def spans(strength: int, seconds: float) -> list[Span]:
        share = shares[strength]
        if share >= 1:
            return [(0.0, seconds + 1.0)]
        starts = np.arange(0.0, seconds, _EPISODE_SECONDS)
        return [(float(at), float(at) + share * _EPISODE_SECONDS) for at in starts]

    return spans


_SEEN: dict[str, tuple[str, Callable[[int, float], list[Span]]]] = {
    f.LOOKING_DOWN.name: ("down", _downs),
    f.LOOKING_ASIDE.name: ("aside", _most_of(ASIDE_SHARE)),
    f.NO_FACE.name: ("gone", _most_of(GONE_SHARE)),
}


def film(path: Path, scene: Scene, person: Path, sound: FloatArray) -> None:
    """Picture and sound of a planted talk in one file, as a camera would write it."""
    straight, other = _grainy(person, "straight"), _grainy(person, scene.kind)

    def planes() -> Iterator[Any]:
        for index in range(math.ceil(len(sound) / RATE_HZ * FPS)):
            time = index / FPS
            poses = other if any(a <= time < b for a, b in scene.spans) else straight
            pose = int(time / _ALIVE_SECONDS) * 5 * _GRAINS + index % _GRAINS
            yield poses[pose % len(poses)]

    write_film(path, planes(), sound)


def looped(source: Path, path: Path, seconds: float, sound: FloatArray | None) -> None:
    """A short recording played to and fro until it lasts so long; the sound begins anew."""
    frames = [
        _planes(frame.rgb)
        for frame in sampled_frames(source, per_second=FPS, max_side=_LONGEST_SIDE)
    ]
    there_and_back = [*frames, *frames[-2:0:-1]]
    count = math.ceil(seconds * FPS)
    wanted = (there_and_back[index % len(there_and_back)] for index in range(count))
    heard = None if sound is None else np.resize(sound, round(seconds * RATE_HZ))
    write_film(path, wanted, heard)


def write_film(path: Path, frames: Iterable[Any], sound: FloatArray | None) -> None:
    """YUV planes at FPS, with the sound beside them, if there is any."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        video.pix_fmt, video.time_base = "yuv420p", Fraction(1, FPS)
        audio = None
        if sound is not None:
            audio = container.add_stream("pcm_s16le", rate=RATE_HZ, layout="mono")
        for index, planes in enumerate(frames):
            if index == 0:
                video.height, video.width = planes.shape[0] * 2 // 3, planes.shape[1]
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts = index
            container.mux(video.encode(frame))
            if audio is not None and sound is not None:
                container.mux(audio.encode(_heard(sound, index)))
        for stream in (video, audio):
            if stream is not None:
                container.mux(stream.encode(None))


def _heard(sound: FloatArray, index: int) -> Any:
    """The sound that goes with one picture."""
    width = RATE_HZ // FPS
    part = (sound[index * width : (index + 1) * width] * _FULL_SCALE).astype(np.int16)
    frame = av.AudioFrame.from_ndarray(part[None], format="s16", layout="mono")
    frame.sample_rate, frame.pts = RATE_HZ, index * width
    return frame


def _planes(rgb: Any) -> Any:
    """One picture as YUV, cut to an even height and width."""
    even = np.ascontiguousarray(rgb[: rgb.shape[0] // 2 * 2, : rgb.shape[1] // 2 * 2])
    return av.VideoFrame.from_ndarray(even, format="rgb24").reformat(format="yuv420p").to_ndarray()


@cache
def _poses(person: Path, kind: str) -> tuple[Any, ...]:
    """Pictures of one state that differ as a living head does."""
    head = Head(person)
    if kind == "gone":
        return (_empty_room(head.straight.shape),)
    aside = ASIDE_DEGREES if kind == "aside" else 0.0
    down = DOWN_DEGREES if kind == "down" else 0.0
    moves = np.random.default_rng(3).normal(0, _ALIVE_DEGREES, (_ALIVE, 2))
    return tuple(
        head.turned(aside=aside + float(one), down=down + float(two)) for one, two in moves
    )


@cache
def _grainy(person: Path, kind: str) -> tuple[Any, ...]:
    """Each pose as YUV planes with some grains of a sensor, so that no two frames are the same."""
    random = np.random.default_rng(7)
    made = []
    for pose in _poses(person, kind):
        planes = _planes(pose.astype(np.uint8)).astype(np.float32)
        for _ in range(_GRAINS):
            noisy = planes + random.normal(0, _GRAIN, planes.shape)
            made.append(noisy.clip(0, 255).astype(np.uint8))
    return tuple(made)


def _empty_room(shape: tuple[int, ...]) -> FloatArray:
    """A wall with light on it from one side."""
    light = np.linspace(90, 150, shape[1])[None, :, None]
    room: FloatArray = np.broadcast_to(light, shape).astype(np.float32)
    return room
