"""Matching of detected and true filled pauses: one to one, within a quarter of a second."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ports import Span
from bench.counts import Count
from bench.fillers.judged import JudgedFile

COLLAR_SECONDS = 0.25


def counted(one: JudgedFile, found: Sequence[Span]) -> Count:
    """Return hits, false alarms and misses; by number alone if the fillers have no times."""
    if one.is_timed:
        hits = sum(index is not None for index in matched(one, found))
        return Count(hits, len(found) - hits, len(one.fillers) - hits)
    number = min(max(len(found), one.least), one.most)
    hits = min(number, len(found))
    return Count(hits, len(found) - hits, number - hits)


def matched(one: JudgedFile, found: Sequence[Span]) -> list[int | None]:
    """Return the index of the true filler for each detected span, or None;
    the nearest pairs first.
    """
    pairs = sorted(
        (_distance(span, (filler.start, filler.end)), place, index)
        for place, span in enumerate(found)
        for index, filler in enumerate(one.fillers)
    )
    answer: list[int | None] = [None] * len(found)
    taken: set[int] = set()
    for distance, place, index in pairs:
        if distance <= COLLAR_SECONDS and answer[place] is None and index not in taken:
            answer[place] = index
            taken.add(index)
    return answer


def _distance(left: Span, right: Span) -> float:
    """Return the gap between two spans; negative if they overlap."""
    return max(left[0], right[0]) - min(left[1], right[1])
