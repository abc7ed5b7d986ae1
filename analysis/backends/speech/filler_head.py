"""Hears um and uh in what a recogniser's encoder made of a window: small networks in NumPy.

Trained by `python -m bench train_fillers`; docs/lab/filler-heads.md has its card: what it learnt
from, how well it hears, and the command.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from analysis.ports import FillerSound, FloatArray

SECONDS_PER_FRAME = 0.02
_FOLDER = Path(__file__).with_name("filler_heads")
_ROUNDED = "-int8"
"""The same weights with 8 bits: frames of the encoder stay alike (cosine 0.999)."""
_LANGUAGES = {"tiny.en": "en", "whisper-base": "fr"}
"""What each head learnt; the multilingual model's is not asked about English."""
_DILATIONS = (1, 3, 5)
_LEAST_LOG_ODDS, _EDGE_LOG_ODDS = -3.0, -1.0
"""A sound is told of from the first on, since other evidence may speak for it; its edges are where
the log odds fall under the second, or by half where the peak is no higher (rules of thumb)."""
_SHORTEST_FRAMES, _BRIDGED_FRAMES = 4, 3


@dataclass(frozen=True, slots=True)
class FillerHead:
    """Networks that learnt the same lessons in different orders: they err apart, and agree where a
    filler is."""

    networks: tuple[FillerNetwork, ...]

    def log_odds(self, frames: FloatArray) -> FloatArray:
        """For each frame (rows) the log odds that a filled pause is heard in it: the mean."""
        each = [network.log_odds(frames) for network in self.networks]
        mean: FloatArray = np.mean(each, axis=0, dtype=np.float32)
        return mean

    def hear(self, frames: FloatArray) -> tuple[FillerSound, ...]:
        """Stretches that may be a filled pause, in seconds from the first frame."""
        return sounds_of(self.log_odds(np.asarray(frames, dtype=np.float32)))


@dataclass(frozen=True, slots=True)
class FillerNetwork:
    """Weights: a projection of each frame, three convolutions over time, one number a frame."""

    weights: Mapping[str, FloatArray]

    def log_odds(self, frames: FloatArray) -> FloatArray:
        """For each frame (rows) the log odds that a filled pause is heard in it."""
        held = _rectified(frames @ self.weights["in.weight"] + self.weights["in.bias"])
        for index, dilation in enumerate(_DILATIONS):
            kernel = self.weights[f"time{index}.weight"]
            held = held + _rectified(
                _over_time(held, kernel, dilation) + self.weights[f"time{index}.bias"]
            )
        out: FloatArray = (held @ self.weights["out.weight"] + self.weights["out.bias"])[:, 0]
        return out


def sounds_of(log_odds: FloatArray) -> tuple[FillerSound, ...]:
    """The peaks of a series of log odds, each with its edges."""
    found: list[FillerSound] = []
    free = log_odds.astype(np.float64).copy()
    while len(free):
        peak = int(free.argmax())
        top = float(free[peak])
        if top < _LEAST_LOG_ODDS:
            break
        edge = min(_EDGE_LOG_ODDS, top - 1.0)
        first, last = _grown(free, peak, edge, -1), _grown(free, peak, edge, 1) + 1
        inside = np.sort(free[first:last])[::-1]
        free[first:last] = -np.inf
        if last - first >= _SHORTEST_FRAMES:
            best = inside[: max(len(inside) // 2, _SHORTEST_FRAMES)]
            found.append(
                FillerSound(
                    start=round(first * SECONDS_PER_FRAME, 3),
                    end=round(last * SECONDS_PER_FRAME, 3),
                    log_odds=round(float(best.mean()), 3),
                )
            )
    return tuple(sorted(found, key=lambda sound: sound.start))


def _grown(values: NDArray[np.float64], peak: int, edge: float, step: int) -> int:
    """The last frame on this side that is above the edge; short dips are bridged."""
    reached, at, dip = peak, peak, 0
    while 0 <= at + step < len(values) and dip <= _BRIDGED_FRAMES:
        at += step
        if not np.isfinite(values[at]):
            break
        if values[at] >= edge:
            reached, dip = at, 0
        else:
            dip += 1
    return reached


def _rectified(values: FloatArray) -> FloatArray:
    held: FloatArray = np.maximum(values, np.float32(0))
    return held


def _over_time(values: FloatArray, kernel: FloatArray, dilation: int) -> FloatArray:
    """A convolution: kernel (taps, in, out), taps `dilation` frames apart, silence beyond."""
    reach = dilation * (len(kernel) // 2)
    padded = np.pad(values, ((reach, reach), (0, 0)))
    count = len(values)
    parts = [
        padded[tap * dilation : tap * dilation + count] @ kernel[tap] for tap in range(len(kernel))
    ]
    total: FloatArray = np.sum(parts, axis=0, dtype=np.float32)
    return total


@lru_cache(maxsize=4)
def load_head(reader: str, language: str) -> FillerHead | None:
    """The head for a recogniser's encoder in a language; None where none was trained for it."""
    name = reader.removesuffix(_ROUNDED)
    if _LANGUAGES.get(name) != language:
        return None
    return read_head(_FOLDER / f"{name}.npz")


def read_head(place: Path) -> FillerHead:
    """A head as `bench.fillers.head.save` wrote it: each array's name begins with its network's
    number."""
    networks: dict[str, dict[str, FloatArray]] = {}
    with np.load(place, allow_pickle=False) as archive:
        for whole in archive.files:
            number, _, name = whole.partition(".")
            networks.setdefault(number, {})[name] = archive[whole].astype(np.float32)
    return FillerHead(tuple(FillerNetwork(weights) for weights in networks.values()))
