"""Span arithmetic on half-open intervals in seconds, always sorted and without overlap."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.ports import Span


def total(spans: Iterable[Span]) -> float:
    """Return the seconds in all spans together."""
    return sum(end - start for start, end in spans)


def clipped(spans: Iterable[Span], within: Span) -> tuple[Span, ...]:
    """Return the parts of the spans inside one span."""
    first, last = within
    parts = ((max(start, first), min(end, last)) for start, end in spans)
    return tuple((start, end) for start, end in parts if end > start)


def gaps(spans: Sequence[Span], *, at_least: float = 0.0) -> tuple[Span, ...]:
    """Return the gaps between neighbouring spans."""
    return tuple(
        (left[1], right[0])
        for left, right in itertools.pairwise(spans)
        if right[0] - left[1] >= at_least - 1e-9
    )


def merged(spans: Iterable[Span], *, closer_than: float = 0.0) -> tuple[Span, ...]:
    """Merge overlapping and touching spans, and those closer together than a limit."""
    joined: list[list[float]] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= closer_than:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return tuple((start, end) for start, end in joined)


def without(spans: Iterable[Span], holes: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans with the holes cut out."""
    left = list(spans)
    for first, last in holes:
        left = [
            part
            for start, end in left
            for part in ((start, min(end, first)), (max(start, last), end))
            if part[1] > part[0]
        ]
    return tuple(left)


def overlap(span: Span, spans: Iterable[Span]) -> float:
    """Return the seconds of a span that are covered by others."""
    return total(clipped(spans, span))


def frames_inside(spans: Iterable[Span], *, step: float, count: int) -> NDArray[np.bool_]:
    """Return a mask of frames whose centres `(i + 0.5) * step` are in the spans, shape (count,)."""
    mask = np.zeros(count, dtype=np.bool_)
    for start, end in spans:
        mask[max(round(start / step), 0) : max(round(end / step), 0)] = True
    return mask


def spans_of(mask: NDArray[np.bool_], *, step: float) -> tuple[Span, ...]:
    """Return the spans of true frames, in seconds."""
    framed = np.concatenate([[False], mask, [False]])
    edges = np.flatnonzero(framed[1:] != framed[:-1]).reshape(-1, 2)
    return tuple((float(start * step), float(end * step)) for start, end in edges)
