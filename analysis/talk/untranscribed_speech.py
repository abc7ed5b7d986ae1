"""Speech of which the recogniser wrote nothing down, or nothing that can be believed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from analysis.ports import Doubt, Segment, Span
from analysis.results import Note, Unwritten, Word
from analysis.talk import spans

UNWRITTEN_SECONDS = 3.0
"""Longer than any word, and far longer than the error of the words' times (rule of thumb)."""
_DROPPED_SECONDS = 1.0
"""Of speech whose words were left out: a short sentence (rule of thumb)."""
_CODES: Mapping[Doubt, str] = {
    "": "unwritten_silent",
    "repeats": "unwritten_repeats",
    "unsure": "unwritten_unsure",
}


def unwritten(
    words: Sequence[Word], speech: Sequence[Span], *, least: float = UNWRITTEN_SECONDS
) -> list[tuple[Span, ...]]:
    """Before, between and behind the words: what speech lies there, where it is that much."""
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


def unwritten_passages(
    words: Sequence[Word], speech: Sequence[Span], dropped: Sequence[Segment]
) -> tuple[Unwritten, ...]:
    """Each stretch of speech without words, with why; `dropped`: what was read there in vain."""
    found = [(passage[0][0], passage[-1][1]) for passage in unwritten(words, speech)]
    for segment in dropped:
        window = (segment.start, segment.end)
        for passage in unwritten(words, spans.clipped(speech, window), least=_DROPPED_SECONDS):
            whole = (passage[0][0], passage[-1][1])
            if not spans.overlap(whole, found):
                found.append(whole)
    return tuple(
        Unwritten(start=start, end=end, note=Note.of(_CODES[_doubt_in((start, end), dropped)]))
        for start, end in sorted(found)
    )


def _doubt_in(passage: Span, dropped: Sequence[Segment]) -> Doubt:
    """Why most of what was read there was left out; nothing where nothing was read."""

    def shared(segment: Segment) -> float:
        return spans.overlap(passage, [(segment.start, segment.end)])

    most = max(dropped, key=shared, default=None)
    return most.doubt if most is not None and shared(most) > 0 else ""
