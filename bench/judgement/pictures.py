"""Video of a constructed talk, made from one real picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import av
import numpy as np

from analysis.backends.media.frames import sampled_frames
from analysis.ports import FloatArray
from bench.judgement.faces import TurnableHead
from bench.judgement.planting import RATE_HZ
from bench.judgement.scenes import Scene, turn_at

FPS = 12
# Labelled as looking into the camera; heads are turned from there by these degrees.
PEOPLE = (
    *("4_gaze/frames/lp_d10_004.00.jpg", "4_gaze/frames/lp_d8_005.00.jpg"),
    *("4_gaze/frames/retalk_5_002.50.jpg", "4_gaze/frames/lp_d0_000.10.jpg"),
)
DOWN_DEGREES, ASIDE_DEGREES = 36.0, 32.0
"""Turns, of which the landmarker reads about 19 degrees in both directions."""
_ALIVE_DEGREES, _ALIVE_SECONDS, _ALIVE = 1.5, 0.4, 6
"""Changes of pose, since nobody is quite still."""
_GRAIN, _GRAINS = 2.0, 4
_FULL_SCALE = 32767
_LONGEST_SIDE = 854


def film(path: Path, scene: Scene, person: Path, sound: FloatArray) -> None:
    """Write picture and sound of a planted talk to one file, as a camera would."""

    def planes() -> Iterator[Any]:
        for index in range(math.ceil(len(sound) / RATE_HZ * FPS)):
            time = index / FPS
            poses = _grainy(person, scene.kind, turn_at(scene, time))
            pose = int(time / _ALIVE_SECONDS) * 5 * _GRAINS + index % _GRAINS
            yield poses[pose % len(poses)]

    write_film(path, planes(), sound)


def looped(source: Path, path: Path, seconds: float, sound: FloatArray | None) -> None:
    """Write a short recording played forwards and backwards up to this length; its sound is
    repeated.
    """
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
    """Write YUV planes at FPS, with the sound if there is any."""
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
    """Return the sound for one picture."""
    width = RATE_HZ // FPS
    part = (sound[index * width : (index + 1) * width] * _FULL_SCALE).astype(np.int16)
    frame = av.AudioFrame.from_ndarray(part[None], format="s16", layout="mono")
    frame.sample_rate, frame.pts = RATE_HZ, index * width
    return frame


def _planes(rgb: Any) -> Any:
    """Return one picture as YUV, cut to an even height and width."""
    even = np.ascontiguousarray(rgb[: rgb.shape[0] // 2 * 2, : rgb.shape[1] // 2 * 2])
    return av.VideoFrame.from_ndarray(even, format="rgb24").reformat(format="yuv420p").to_ndarray()


def _poses(person: Path, kind: str, turn: float) -> Iterator[Any]:
    """Yield pictures of one state that vary like a living head; fewer for intermediate states."""
    head = _head(person)
    if kind == "gone" and turn:
        yield head.leaving(turn)
        return
    aside = ASIDE_DEGREES * turn if kind == "aside" else 0.0
    down = DOWN_DEGREES * turn if kind == "down" else 0.0
    moves = np.random.default_rng(3).normal(0, _ALIVE_DEGREES, (_ALIVE, 2))
    for one, two in moves if turn in {0.0, 1.0} else moves[:1]:
        yield head.turned(aside=aside + float(one), down=down + float(two))


@cache
def _head(person: Path) -> TurnableHead:
    return TurnableHead(person)


@cache
def _grainy(person: Path, kind: str, turn: float) -> tuple[Any, ...]:
    """Return each pose as YUV planes with sensor noise, so that no two frames are equal."""
    random = np.random.default_rng(7)
    made = []
    for pose in _poses(person, kind, turn):
        planes = _planes(pose.astype(np.uint8)).astype(np.float32)
        for _ in range(_GRAINS):
            noisy = planes + random.normal(0, _GRAIN, planes.shape)
            made.append(noisy.clip(0, 255).astype(np.uint8))
    return tuple(made)
