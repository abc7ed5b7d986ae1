"""Signposts: words that mark the structure, such as "the second reason", "for example", "to sum
up".
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ports import Measured
from analysis.results import Event, in_time_order
from analysis.talk.languages import plain
from analysis.talk.phrase_patterns import PatternMatch, find_patterns
from analysis.talk.punctuation import no_punctuation
from analysis.talk.stretches import longest, stretches
from analysis.talk.talk import Talk

PER_MINUTE = "structure.signposts_per_minute"
UNMARKED = "structure.longest_unmarked_seconds"

_LEAST_SECONDS = 30.0
"""Shortest talk with steps to mark (rule of thumb)."""
_ONE_MARK_SECONDS = 1.5
"""Time within which two phrases are one mark: "finally, to sum up" (rule of thumb)."""
_WORTH_SHOWING_SECONDS = 45.0


class Signposts:
    """Analyser of marked steps: their rate, and the longest stretch without a mark."""

    name = "signposts"
    provides: tuple[str, ...] = (PER_MINUTE, UNMARKED)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_text
            or talk.caution("speakers")
            or talk.too_short(needed=_LEAST_SECONDS, what="signposts")
            or no_punctuation(talk)
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        marks = _marks(talk)
        unmarked = stretches(talk, [(mark.start, mark.end) for mark in marks])
        gap = longest(unmarked) or talk.window
        return Measured(
            measurements={
                PER_MINUTE: talk.rate_of_text(len(marks)),
                UNMARKED: talk.of_text(gap[1] - gap[0], "s", n=len(unmarked)),
            },
            events=in_time_order([*marks, *_gap_event(gap)]),
        )


def _marks(talk: Talk) -> list[Event]:
    data = talk.language_data
    found: list[Event] = []
    for cue in find_patterns(talk.words, {str(k): v for k, v in data.signposts.items()}, data):
        event = _event(talk, cue)
        if not found or event.start - found[-1].end >= _ONE_MARK_SECONDS:
            found.append(event)
    return found


def _event(talk: Talk, cue: PatternMatch) -> Event:
    words = talk.words[cue.first : cue.last]
    return Event(
        kind="signpost",
        start=words[0].start,
        end=words[-1].end,
        probability=min(word.probability for word in words),
        label=" ".join(plain(word.text) for word in words),
        detail={"class": cue.kind},
    )


def _gap_event(gap: tuple[float, float]) -> Sequence[Event]:
    if gap[1] - gap[0] < _WORTH_SHOWING_SECONDS:
        return ()
    return (Event(kind="unmarked_stretch", start=gap[0], end=gap[1]),)
