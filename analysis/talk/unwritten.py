"""Speech of which the recogniser wrote nothing down."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.ports import Span
from analysis.results import Word
from analysis.talk import spans

UNWRITTEN_SECONDS = 3.0
"""Longer than any word, and far longer than the error of the words' times (rule of thumb)."""


def unwritten(words: Sequence[Word], speech: Sequence[Span]) -> list[tuple[Span, ...]]:
    """Before, between and behind the words: what speech lies there, where it is that much."""
    ends = [0.0, *(word.end for word in words)]
    starts = [*(word.start for word in words), math.inf]
    found = []
    for gap in zip(ends, starts, strict=True):
        if gap[1] - gap[0] < UNWRITTEN_SECONDS:
            continue
        inside = spans.clipped(speech, gap)
        if spans.total(inside) >= UNWRITTEN_SECONDS:
            found.append(inside)
    return found
