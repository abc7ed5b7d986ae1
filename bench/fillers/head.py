"""Training of the filler head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from analysis.backends.speech.filler_head import FillerHead, FillerNetwork
from analysis.ports import FloatArray
from bench.fillers.frames import STEP_SECONDS
from bench.fillers.talks import FillerTalk

RECIPE = "5"
"""Version of the training; another version makes cached heads outdated."""
_WIDTH, _TAPS, _DILATIONS = 32, 5, (1, 3, 5)
_EPOCHS, _BATCH, _CROP = 6, 16, 320
_NETWORKS = 3
"""Number of networks, each trained in its own order. A single one is better or worse by chance."""
_RATE, _DECAY = 3e-3, 0.02
_DROPPED, _BLURRED = 0.15, 0.15
"""Share of projected numbers dropped in training, and noise in units of each number's spread: 8-bit
encoders differ from exact ones by less.
"""
_NOISE = np.float32(_BLURRED) * np.random.default_rng(7).standard_normal(
    8_000_000, dtype=np.float32
)
"""Noise drawn once; drawing it each time would take longer than training."""
_POSITIVE = 2.0
_EDGE_SECONDS = 0.06
_UNKNOWN = -1.0


@dataclass(frozen=True, slots=True)
class Lesson:
    """Frames of a talk with their labels: 1 filler, 0 none, -1 unknown."""

    frames: FloatArray
    labels: FloatArray


class _Network(nn.Module):
    def __init__(self, dimensions: int) -> None:
        super().__init__()
        self.inward = nn.Linear(dimensions, _WIDTH)
        self.drop = nn.Dropout(_DROPPED)
        self.time = nn.ModuleList(
            nn.Conv1d(_WIDTH, _WIDTH, _TAPS, dilation=step, padding=step * (_TAPS // 2))
            for step in _DILATIONS
        )
        self.outward = nn.Linear(_WIDTH, 1)

    def forward(self, frames: Tensor) -> Tensor:
        held = self.drop(torch.relu(self.inward(frames)))
        for layer in self.time:
            held = held + self.drop(torch.relu(layer(held.transpose(1, 2)).transpose(1, 2)))
        logits: Tensor = self.outward(held)[..., 0]
        return logits


def lesson(talk: FillerTalk, frames: FloatArray) -> Lesson:
    """Return the label of each frame; frames at the edges of a filler have none."""
    centres = (np.arange(len(frames)) + 0.5) * STEP_SECONDS
    labels = np.zeros(len(frames), dtype=np.float32)
    for start, end in talk.unsure:
        labels[(centres >= start - _EDGE_SECONDS) & (centres < end + _EDGE_SECONDS)] = _UNKNOWN
    for one in talk.fillers:
        edge = min(_EDGE_SECONDS, (one.end - one.start) / 4)
        near = (centres >= one.start - _EDGE_SECONDS) & (centres < one.end + _EDGE_SECONDS)
        labels[near] = _UNKNOWN
        labels[(centres >= one.start + edge) & (centres < one.end - edge)] = 1.0
    return Lesson(frames, labels)


def train(lessons: Sequence[Lesson], *, seed: int, epochs: int = _EPOCHS) -> FillerHead:
    """Train a head with these lessons; deterministic."""
    return FillerHead(
        tuple(_trained(lessons, seed + number, epochs) for number in range(_NETWORKS))
    )


def _trained(lessons: Sequence[Lesson], seed: int, epochs: int) -> FillerNetwork:
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    mean, spread = _usual(lessons)
    network = _Network(len(mean))
    steps = epochs * -(-len(lessons) // _BATCH)
    rate = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    slowing = torch.optim.lr_scheduler.OneCycleLR(rate, _RATE, total_steps=steps)
    network.train()
    for _ in range(epochs):
        order = random.permutation(len(lessons))
        for first in range(0, len(order), _BATCH):
            chosen = [lessons[index] for index in order[first : first + _BATCH]]
            loss = _loss(network, *_batch(chosen, mean, spread, random))
            rate.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            rate.step()
            slowing.step()
    return _plain(network, mean, spread)


def _loss(network: _Network, frames: Tensor, labels: Tensor) -> Tensor:
    """Return the cross entropy over the labelled frames."""
    known = labels >= 0
    return nn.functional.binary_cross_entropy_with_logits(
        network(frames)[known], labels[known], pos_weight=torch.tensor(_POSITIVE)
    )


def _usual(lessons: Sequence[Lesson]) -> tuple[FloatArray, FloatArray]:
    some = np.concatenate([one.frames[::10] for one in lessons]).astype(np.float32)
    return some.mean(axis=0), some.std(axis=0) + 1e-3


def _batch(
    chosen: Sequence[Lesson], mean: FloatArray, spread: FloatArray, random: np.random.Generator
) -> tuple[Tensor, Tensor]:
    frames = np.zeros((len(chosen), _CROP, len(mean)), dtype=np.float32)
    labels = np.full((len(chosen), _CROP), _UNKNOWN, dtype=np.float32)
    for row, one in enumerate(chosen):
        first = int(random.integers(max(len(one.frames) - _CROP, 0) + 1))
        part = one.frames[first : first + _CROP].astype(np.float32)
        frames[row, : len(part)] = (part - mean) / spread
        labels[row, : len(part)] = one.labels[first : first + _CROP]
    first = int(random.integers(_NOISE.size - frames.size))
    frames += _NOISE[first : first + frames.size].reshape(frames.shape)
    return torch.from_numpy(frames), torch.from_numpy(labels)


def _plain(network: _Network, mean: FloatArray, spread: FloatArray) -> FillerNetwork:
    """Return plain arrays, with the scaling of the frames folded into the first layer."""
    network.eval()
    inward = network.inward.weight.detach().numpy() / spread
    bias = network.inward.bias.detach().numpy() - inward @ mean
    weights = {"in.weight": inward.T, "in.bias": bias}
    for index, layer in enumerate(network.time):
        assert isinstance(layer, nn.Conv1d)  # noqa: S101 - the network's own layers
        assert layer.bias is not None  # noqa: S101
        weights[f"time{index}.weight"] = layer.weight.detach().numpy().transpose(2, 1, 0)
        weights[f"time{index}.bias"] = layer.bias.detach().numpy()
    weights["out.weight"] = network.outward.weight.detach().numpy().T
    weights["out.bias"] = network.outward.bias.detach().numpy()
    return FillerNetwork({name: np.ascontiguousarray(part) for name, part in weights.items()})


def save(head: FillerHead, place: Path) -> None:
    """Write a head in half precision: half the size, the same log odds to two digits."""
    place.parent.mkdir(parents=True, exist_ok=True)
    small = {
        f"{number}.{name}": np.asarray(part, dtype=np.float16)
        for number, network in enumerate(head.networks)
        for name, part in network.weights.items()
    }
    np.savez_compressed(place, **small)  # type: ignore[arg-type]
