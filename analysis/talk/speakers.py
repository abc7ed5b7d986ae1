"""Whether more than one voice speaks: a careful test on pitch and timbre, never an identity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.talk import spans

_PIECE_SECONDS = 3.0
_LEAST_PIECES = 6
_LEAST_VOICED_SECONDS = 0.8
_LEAST_SHARE = 0.20
"""Case 7: two voices of at least 20 % each."""
_PITCH_APART_SEMITONES = 5.0
"""One person's stretches of 3 s differ by less in median pitch; a man and a woman by about 9."""
_SEPARATION = 2.2
"""Distance of the two clusters over the spread within them (rule of thumb; conservative)."""


def second_voice_share(speech: Sequence[Span], sound: Sound) -> float:
    """Share of the smaller of two voices; 0 where one voice explains the recording.

    Pieces of about 3 s of speech are described by median pitch and mean cepstrum and split in
    two. Two voices are claimed only where both pitch and timbre fall apart.
    """
    described = _pieces(speech, sound)
    if len(described) < _LEAST_PIECES:
        return 0.0
    pitch = described[:, 0]
    timbre = described[:, 1:]
    groups = _two_groups(np.column_stack([pitch / _PITCH_APART_SEMITONES, _scaled(timbre)]))
    share = float(min(groups.mean(), 1 - groups.mean()))
    if share < _LEAST_SHARE:
        return 0.0
    pitch_apart = abs(float(np.median(pitch[groups]) - np.median(pitch[~groups])))
    if pitch_apart < _PITCH_APART_SEMITONES:
        return 0.0
    if min(_separation(pitch[:, None], groups), _separation(timbre, groups)) < _SEPARATION / 2:
        return 0.0
    return share if _separation(pitch[:, None], groups) >= _SEPARATION else 0.0


def _pieces(speech: Sequence[Span], sound: Sound) -> NDArray[np.float64]:
    """One row a piece: pitch in semitones, then the mean cepstrum of its voiced frames."""
    rows = []
    count = len(sound.f0_hz)
    voiced = np.isfinite(sound.f0_hz)
    inside = np.flatnonzero(spans.frames_inside(speech, step=sound.step, count=count) & voiced)
    if not len(inside) or not sound.timbre.size:
        return np.zeros((0, 1))
    clock = (inside * sound.step / _PIECE_SECONDS).astype(int)
    for piece in np.unique(clock):
        frames = inside[clock == piece]
        if len(frames) * sound.step >= _LEAST_VOICED_SECONDS:
            pitch = 12 * np.log2(np.median(sound.f0_hz[frames]) / 100.0)
            rows.append(np.concatenate([[pitch], sound.timbre[frames].mean(axis=0)]))
    return np.array(rows) if rows else np.zeros((0, 1))


def _scaled(timbre: NDArray[np.float64]) -> NDArray[np.float64]:
    deviation = timbre.std(axis=0)
    scaled: NDArray[np.float64] = (timbre - timbre.mean(axis=0)) / np.maximum(deviation, 1e-6)
    scaled /= np.sqrt(timbre.shape[1])
    return scaled


def _two_groups(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Two means, started from the ends of the first axis: no chance involved."""
    centres = np.stack([points[points[:, 0].argmin()], points[points[:, 0].argmax()]])
    groups = np.zeros(len(points), dtype=np.bool_)
    for _ in range(25):
        distances = np.linalg.norm(points[:, None, :] - centres[None], axis=2)
        now = distances[:, 1] < distances[:, 0]
        if now.all() or not now.any() or (now == groups).all():
            break
        groups = now
        centres = np.stack([points[~groups].mean(axis=0), points[groups].mean(axis=0)])
    return groups


def _separation(points: NDArray[np.float64], groups: NDArray[np.bool_]) -> float:
    """Distance between the centres over the root mean square distance to the own centre."""
    first, second = points[groups], points[~groups]
    apart = float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)))
    within = np.concatenate([first - first.mean(axis=0), second - second.mean(axis=0)])
    spread = float(np.sqrt((within**2).sum(axis=1).mean()))
    return apart / max(spread, 1e-6)
