"""Scenes: times at which a person looks into the camera, down or aside, or is absent."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.ports import Span
from bench.judgement import faults as f

DOWNS_A_MINUTE, DOWN_SECONDS = (6.0, 9.0, 12.0), 1.8
ASIDE_SHARE = (0.7, 0.85, 1.0)
GONE_SHARE = (0.6, 0.8, 1.0)
_EPISODE_SECONDS = 12.0
"""Length of the cycle in which a mostly absent or averted person returns."""
_TURNING_SECONDS, _TURNING_STEPS = 0.4, 4
_LEAVING_SECONDS, _LEAVING_STEPS = 1.0, 10
"""Duration of walking out of the picture; a person who vanishes between two frames would count as
cut out of the video.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Kind of picture, and the spans in seconds without the straight look."""

    kind: str
    spans: tuple[Span, ...]


def scene_of(faults: Sequence[str], strength: int, seconds: float) -> Scene:
    """Return the scene for these faults in a talk of that length."""
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


def turn_at(scene: Scene, time: float) -> float:
    """Return the turn of the head, or the share of leaving, in small steps.

    A head that jumped would be taken for another one. A person who is always absent was never
    there.
    """
    inside = [(a, b) for a, b in scene.spans if a <= time < b]
    if not inside:
        return 0.0
    is_leaving = scene.kind == "gone"
    if is_leaving and len(scene.spans) == 1:
        return 1.0
    start, end = inside[0]
    seconds = _LEAVING_SECONDS if is_leaving else _TURNING_SECONDS
    steps = _LEAVING_STEPS if is_leaving else _TURNING_STEPS
    done = min(time - start, end - time) / seconds
    return min(1.0, math.ceil(done * steps) / steps)
