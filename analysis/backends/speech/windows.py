"""Windows for the recogniser, always cut at gaps in the speech."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Progress, Span

_Piece = TypeVar("_Piece")

LONGEST_WINDOW_SECONDS = 29.0
"""Longest window; Whisper reads 30 s, the rest is margin on both sides."""
MARGIN_SECONDS = 0.4
_LONGEST_SILENCE_SECONDS = 4.0
"""Silence that separates windows: recognisers invent words in long silences (Koenecke et al.,
2024).
"""
_EARLIEST_CUT_SHARE = 0.6
_LEAST_WITHOUT_GAP_SECONDS, _PIECE_SECONDS = 4.0, 0.1
"""Shortest window without a gap that is halved (two short sentences), and the length of the quiet
block searched for (rules of thumb).
"""
_LARGEST_BATCH = 8
"""Largest batch; its windows are decoded together, and one takes almost as long as eight."""


def windows(speech: Sequence[Span], *, duration: float) -> tuple[Span, ...]:
    """Return windows of at most 30 s that cover all speech, cut at the longest gap within reach."""
    found: list[Span] = []
    waiting = list(_shortened(speech))
    while waiting:
        taken = _window_length(waiting)
        inside, waiting = waiting[:taken], waiting[taken:]
        before = found[-1][1] if found else 0.0
        after = waiting[0][0] if waiting else duration
        start = max(inside[0][0] - MARGIN_SECONDS, before, 0.0)
        end = min(inside[-1][1] + MARGIN_SECONDS, max(after, inside[-1][1]), duration)
        found.append((round(start, 3), round(end, 3)))
    return tuple(found)


def halves(
    window: Span, speech: Sequence[Span], audio: FloatArray | None = None
) -> tuple[Span, ...]:
    """Return the window halved at a long gap away from its ends, for another try; empty if
    impossible.

    Among gaps at least half as long as the longest, the one nearest to the middle is used, so that
    repeated halving soon gives short windows. Without a gap, the cut is where `audio` is quietest.
    """
    start, end = window
    inside = [span for span in speech if span[1] > start and span[0] < end]
    gaps = [
        (right[0] - left[1], (left[1] + right[0]) / 2)
        for left, right in itertools.pairwise(inside)
        if start + 1.0 < (left[1] + right[0]) / 2 < end - 1.0
    ]
    longest = max((length for length, _at in gaps), default=0.0)
    places = [at for length, at in gaps if 2 * length >= longest]
    if not places and audio is not None and end - start >= _LEAST_WITHOUT_GAP_SECONDS:
        places = [_quietest(audio, (3 * start + end) / 4, (start + 3 * end) / 4)]
    if not places:
        return ()
    cut = min(places, key=lambda at: abs(at - (start + end) / 2))
    return ((start, cut), (cut, end))


def _quietest(audio: FloatArray, start: float, end: float) -> float:
    """Return the middle of the quietest block between two times."""
    first, piece = int(start * SAMPLE_RATE_HZ), round(_PIECE_SECONDS * SAMPLE_RATE_HZ)
    samples = np.asarray(audio[first : int(end * SAMPLE_RATE_HZ)])
    pieces = samples[: len(samples) // piece * piece].reshape(-1, piece)
    if not len(pieces):
        return (start + end) / 2
    return start + (int(np.square(pieces).mean(axis=1).argmin()) + 0.5) * _PIECE_SECONDS


def _shortened(speech: Sequence[Span]) -> Sequence[Span]:
    """Cut spans that are longer than a window."""
    parts: list[Span] = []
    for start, end in speech:
        at = start
        while end - at > LONGEST_WINDOW_SECONDS:
            parts.append((at, at + LONGEST_WINDOW_SECONDS))
            at += LONGEST_WINDOW_SECONDS
        parts.append((at, end))
    return parts


def _window_length(spans: Sequence[Span]) -> int:
    """Return how many of the first spans form the next window."""
    start = spans[0][0]
    fits = 1
    while (
        fits < len(spans)
        and spans[fits][1] - start <= LONGEST_WINDOW_SECONDS
        and spans[fits][0] - spans[fits - 1][1] <= _LONGEST_SILENCE_SECONDS
    ):
        fits += 1
    stopped_by_length = fits < len(spans) and (
        spans[fits][0] - spans[fits - 1][1] <= _LONGEST_SILENCE_SECONDS
    )
    if not stopped_by_length:
        return fits
    earliest = start + _EARLIEST_CUT_SHARE * LONGEST_WINDOW_SECONDS
    late = [count for count in range(1, fits + 1) if spans[count - 1][1] >= earliest]
    return max(late or [fits], key=lambda count: spans[count][0] - spans[count - 1][1])


def batches(cut: Sequence[_Piece]) -> list[Sequence[_Piece]]:
    """Return the smallest number of batches, of nearly equal size."""
    count = -(-len(cut) // _LARGEST_BATCH)
    edges = [round(index * len(cut) / count) for index in range(count + 1)] if count else []
    return [cut[first:last] for first, last in itertools.pairwise(edges)]


def report_batch_progress(
    progress: Progress, cut: Sequence[Span], batch: Sequence[Span], share: float
) -> None:
    """Report the overall progress for a `share` of one batch."""
    before = sum(end <= batch[0][0] for _, end in cut)
    progress(min((before + share * len(batch)) / len(cut), 1.0))
