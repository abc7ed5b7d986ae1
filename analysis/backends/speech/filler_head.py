"""Filler head: small NumPy networks that detect um and uh in a recogniser's encoder output.

Trained by `python -m bench train_fillers`; docs/lab/filler-heads.md has its model card with
training data, accuracy and command.
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
"""Suffix of 8-bit weights; their encoder frames are almost the same (cosine 0.999)."""
_LANGUAGES = {"tiny.en": "en", "whisper-base": "fr"}
"""Language of each head; the multilingual model's head is not used for English."""
_DILATIONS = (1, 3, 5)
_LEAST_LOG_ODDS, _EDGE_LOG_ODDS = -3.0, -1.0
"""Thresholds: a sound is reported from the first log odds up, since other evidence may support it.
Its edges are where the log odds fall below the second, or 1 below a low peak (rules of thumb).
"""
_SHORTEST_FRAMES, _BRIDGED_FRAMES = 4, 3


@dataclass(frozen=True, slots=True)
class FillerHead:
    """Ensemble of networks trained on the same data in different orders; their errors differ, and
    they agree on fillers.
    """

    networks: tuple[FillerNetwork, ...]

    def log_odds(self, frames: FloatArray) -> FloatArray:
        """Return the mean log odds of a filled pause in each frame (row)."""
        each = [network.log_odds(frames) for network in self.networks]
        mean: FloatArray = np.mean(each, axis=0, dtype=np.float32)
        return mean

    def hear(self, frames: FloatArray) -> tuple[FillerSound, ...]:
        """Return spans that may be a filled pause, in seconds from the first frame."""
        return sounds_of(self.log_odds(np.asarray(frames, dtype=np.float32)))


@dataclass(frozen=True, slots=True)
class FillerNetwork:
    """Weights of one network: a projection of each frame, three convolutions over time, one output
    per frame.
    """

    weights: Mapping[str, FloatArray]

    def log_odds(self, frames: FloatArray) -> FloatArray:
        """Return the log odds of a filled pause in each frame (row)."""
        held = _relu(frames @ self.weights["in.weight"] + self.weights["in.bias"])
        for index, dilation in enumerate(_DILATIONS):
            kernel = self.weights[f"time{index}.weight"]
            held = held + _relu(
                _convolve(held, kernel, dilation) + self.weights[f"time{index}.bias"]
            )
        out: FloatArray = (held @ self.weights["out.weight"] + self.weights["out.bias"])[:, 0]
        return out


def sounds_of(log_odds: FloatArray) -> tuple[FillerSound, ...]:
    """Return the peaks of a series of log odds, with their edges in seconds."""
    found: list[FillerSound] = []
    free = log_odds.astype(np.float64).copy()
    while len(free):
        peak = int(free.argmax())
        top = float(free[peak])
        if top < _LEAST_LOG_ODDS:
            break
        edge = min(_EDGE_LOG_ODDS, top - 1.0)
        first, last = _region_edge(free, peak, edge, -1), _region_edge(free, peak, edge, 1) + 1
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


def _region_edge(values: NDArray[np.float64], peak: int, edge: float, step: int) -> int:
    """Return the last frame on this side above the edge; short dips are bridged."""
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


def _relu(values: FloatArray) -> FloatArray:
    held: FloatArray = np.maximum(values, np.float32(0))
    return held


def _convolve(values: FloatArray, kernel: FloatArray, dilation: int) -> FloatArray:
    """Convolve over time: kernel (taps, in, out), taps `dilation` frames apart, zero-padded."""
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
    """Return the head for a recogniser's encoder and language, or None if there is none."""
    name = reader.removesuffix(_ROUNDED)
    if _LANGUAGES.get(name) != language:
        return None
    return read_head(_FOLDER / f"{name}.npz")


def read_head(place: Path) -> FillerHead:
    """Read a head saved by `bench.fillers.head.save`; array names begin
    with the network's number.
    """
    networks: dict[str, dict[str, FloatArray]] = {}
    with np.load(place, allow_pickle=False) as archive:
        for whole in archive.files:
            number, _, name = whole.partition(".")
            networks.setdefault(number, {})[name] = archive[whole].astype(np.float32)
    return FillerHead(tuple(FillerNetwork(weights) for weights in networks.values()))
