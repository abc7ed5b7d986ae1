"""Speaker count: a conservative test for a second voice by pitch and timbre, never an
identification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Sound, Span
from analysis.talk import spans

SEGMENT_SECONDS = 3.0
_LEAST_PIECES = 7
_LEAST_VOICED_SECONDS = 0.8
_LEAST_SHARE = 0.20
"""Smallest share of a second voice (case 7)."""
_SEPARATION = 2.1
_TIMBRE_APART = 0.45
_PITCH_APART_SEMITONES = 5.0
"""Limits of separation, timbre and pitch. Ten recordings of one voice, split in two like this, stay
below 1.6 (2.05 with six segments), 0.43 and 3.3; of 55 made by joining two of them, 31 exceed
the limits.
"""
_SEMITONES_IN_ONE_DEVIATION = 3.0
_SHORTEST_STRETCH_SECONDS, _BRIDGED_SECONDS = 6.0, 6.0
"""Shortest stretch, two consecutive segments, and longest bridged gap; single segments may be
classified wrongly.
"""


@dataclass(frozen=True, slots=True)
class SecondVoice:
    """Rarer of two voices: its share of the speech, and approximately where it is heard."""

    share: float
    stretches: tuple[Span, ...]


def find_second_voice(speech: Sequence[Span], sound: Sound) -> SecondVoice | None:
    """Return the rarer of two voices; None if one voice explains the recording.

    Segments of about 3 s of speech are described by median pitch and mean cepstrum and split into
    two groups. Two voices are reported only if the groups are far apart relative to their spread,
    and clearly differ in timbre or in pitch.
    """
    starts, pieces = voice_segments(speech, sound)
    if len(pieces) < _LEAST_PIECES:
        return None
    groups = _two_groups(pieces)
    if not _are_two_voices(pieces, groups):
        return None
    rarer = groups if groups.mean() <= 0.5 else ~groups
    heard = spans.merged(
        ((start, start + SEGMENT_SECONDS) for start in starts[rarer].tolist()),
        closer_than=_BRIDGED_SECONDS,
    )
    return SecondVoice(
        share=float(rarer.mean()),
        stretches=tuple(
            (start, end) for start, end in heard if end - start >= _SHORTEST_STRETCH_SECONDS
        ),
    )


def _are_two_voices(pieces: NDArray[np.float64], groups: NDArray[np.bool_]) -> bool:
    share = float(min(groups.mean(), 1 - groups.mean()))
    if share < _LEAST_SHARE or _separation(pieces, groups) < _SEPARATION:
        return False
    return are_apart(pieces[groups], pieces[~groups])


def are_apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Return whether two groups of segments clearly differ in timbre or in pitch."""
    between = np.abs(one.mean(axis=0) - other.mean(axis=0))
    timbre_apart = float(np.sqrt((between[1:] ** 2).mean()))
    pitch_apart = float(between[0]) * _SEMITONES_IN_ONE_DEVIATION
    return timbre_apart >= _TIMBRE_APART or pitch_apart >= _PITCH_APART_SEMITONES


def voice_segments(
    speech: Sequence[Span], sound: Sound
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the start of each segment, and one row per segment: median pitch and mean cepstrum."""
    frames, features = voiced_frames(speech, sound)
    clock = (frames * sound.step / SEGMENT_SECONDS).astype(int)
    starts, rows = [], []
    for piece in np.unique(clock):
        own = features[clock == piece]
        if len(own) * sound.step >= _LEAST_VOICED_SECONDS:
            starts.append(float(piece) * SEGMENT_SECONDS)
            rows.append(np.concatenate([[np.median(own[:, 0])], own[:, 1:].mean(axis=0)]))
    return np.array(starts), (np.array(rows) if rows else np.zeros((0, 1)))


def voiced_frames(
    speech: Sequence[Span], sound: Sound
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the voiced frames in speech, and the pitch and cepstrum of each in standard
    deviations.
    """
    count = len(sound.f0_hz)
    inside = spans.frames_inside(speech, step=sound.step, count=count) & np.isfinite(sound.f0_hz)
    frames = np.flatnonzero(inside)
    if not len(frames) or not sound.timbre.size:
        return np.zeros(0, dtype=np.intp), np.zeros((0, 1))
    timbre = sound.timbre[frames].astype(np.float64)
    pitch = 12 * np.log2(sound.f0_hz[frames].astype(np.float64) / 100.0)
    usual = np.maximum(timbre.std(axis=0), 1e-6)
    return frames, np.column_stack([pitch / _SEMITONES_IN_ONE_DEVIATION, timbre / usual])


def _two_groups(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Split into two groups by k-means, started from the halves of the main axis, so without
    randomness.
    """
    centred = points - points.mean(axis=0)
    main = np.linalg.svd(centred, full_matrices=False)[2][0]
    along = centred @ main
    groups: NDArray[np.bool_] = along > np.median(along)
    for _ in range(25):
        if groups.all() or not groups.any():
            break
        centres = np.stack([points[~groups].mean(axis=0), points[groups].mean(axis=0)])
        distances = np.linalg.norm(points[:, None, :] - centres[None], axis=2)
        now = distances[:, 1] < distances[:, 0]
        if (now == groups).all():
            break
        groups = now
    return groups


def _separation(points: NDArray[np.float64], groups: NDArray[np.bool_]) -> float:
    """Return the distance between the centres divided by the root mean square distance to the own
    centre.
    """
    first, second = points[groups], points[~groups]
    apart = float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)))
    within = np.concatenate([first - first.mean(axis=0), second - second.mean(axis=0)])
    spread = float(np.sqrt((within**2).sum(axis=1).mean()))
    return apart / max(spread, 1e-6)
