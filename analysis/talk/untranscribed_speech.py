"""Untranscribed speech: without recognised words, or only with rejected ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from analysis.ports import Doubt, Segment, Span
from analysis.results import Note, Unwritten, Word
from analysis.talk import spans

UNWRITTEN_SECONDS = 3.0
"""Shortest passage: longer than any word, and far longer than the error of word times (rule of
thumb).
"""
_DROPPED_SECONDS = 1.0
"""Shortest passage whose words were rejected: a short sentence (rule of thumb)."""
_CODES: Mapping[Doubt, str] = {
    "": "unwritten_silent",
    "repeats": "unwritten_repeats",
    "unsure": "unwritten_unsure",
}


def untranscribed_spans(
    words: Sequence[Word], speech: Sequence[Span], *, least: float = UNWRITTEN_SECONDS
) -> list[tuple[Span, ...]]:
    """Return the spans of speech before, between and after the words, if there are at least `least`
    seconds.
    """
    ends = [0.0, *(word.end for word in words)]
    starts = [*(word.start for word in words), math.inf]
    found = []
    for gap in zip(ends, starts, strict=True):
        if gap[1] - gap[0] < least:
            continue
        inside = spans.clipped(speech, gap)
        if spans.total(inside) >= least:
            found.append(inside)
    return found


def untranscribed_passages(
    words: Sequence[Word], speech: Sequence[Span], dropped: Sequence[Segment]
) -> tuple[Unwritten, ...]:
    """Return each span of speech without words, with the reason; `dropped` are the rejected
    readings.
    """
    found = [(passage[0][0], passage[-1][1]) for passage in untranscribed_spans(words, speech)]
    for segment in dropped:
        window = (segment.start, segment.end)
        for passage in untranscribed_spans(
            words, spans.clipped(speech, window), least=_DROPPED_SECONDS
        ):
            whole = (passage[0][0], passage[-1][1])
            if not spans.overlap(whole, found):
                found.append(whole)
    return tuple(
        Unwritten(start=start, end=end, note=Note.of(_CODES[_doubt_in((start, end), dropped)]))
        for start, end in sorted(found)
    )


def _doubt_in(passage: Span, dropped: Sequence[Segment]) -> Doubt:
    """Return why most of a passage's readings were rejected; empty if nothing was read."""

    def shared(segment: Segment) -> float:
        return spans.overlap(passage, [(segment.start, segment.end)])

    most = max(dropped, key=shared, default=None)
    return most.doubt if most is not None and shared(most) > 0 else ""
