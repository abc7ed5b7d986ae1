"""Which found filled pauses are true: within a quarter of a second of overlapping, one to one."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ports import Span
from bench.counts import Count
from bench.fillers.judged import Judged

COLLAR_SECONDS = 0.25


def counted(one: Judged, found: Sequence[Span]) -> Count:
    """Hits, false ones and misses; where nobody timed the fillers, by their number alone."""
    if one.is_timed:
        hits = sum(index is not None for index in matched(one, found))
        return Count(hits, len(found) - hits, len(one.fillers) - hits)
    number = min(max(len(found), one.least), one.most)
    hits = min(number, len(found))
    return Count(hits, len(found) - hits, number - hits)


def matched(one: Judged, found: Sequence[Span]) -> list[int | None]:
    """For each found span which true filler it is, the nearest pairs first; None for none."""
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
    """Between two spans: under nothing where they overlap, the less the more they do."""
    return max(left[0], right[0]) - min(left[1], right[1])
