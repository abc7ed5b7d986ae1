"""Number density: more numbers in a short time than listeners can remember."""

from __future__ import annotations

from analysis.ports import Measured, Span
from analysis.results import Event
from analysis.talk import spans
from analysis.talk.number_words import find_numbers
from analysis.talk.talk import Talk

PER_MINUTE = "structure.number_heaps_per_minute"

_LEAST_SECONDS = 30.0
_WITHIN_SECONDS, _HEAP = 20.0, 6
"""Size of a cluster: adults remember three to five chunks (Cowan, 2001); six within 20 s is our
rule of thumb.
"""


class NumberDensity:
    """Analyser of clusters of at least six numbers within 20 s."""

    name = "number_heaps"
    provides: tuple[str, ...] = (PER_MINUTE,)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        reason = (
            talk.no_text
            or talk.caution("speakers")
            or talk.too_short(needed=_LEAST_SECONDS, what="numbers")
        )
        if reason is not None:
            return Measured.skipping(self.provides, reason)
        events = _heaps(talk)
        rate = talk.rate_of_text(len(events))
        return Measured(measurements={PER_MINUTE: rate}, events=events)


def _heaps(talk: Talk) -> tuple[Event, ...]:
    data = talk.language_data
    said = [
        (talk.words[first].start, talk.words[last - 1].end)
        for first, last in find_numbers(talk.words, data)
    ]
    windows: list[Span] = [
        (said[at][0], said[at + _HEAP - 1][1])
        for at in range(len(said) - _HEAP + 1)
        if said[at + _HEAP - 1][1] - said[at][0] <= _WITHIN_SECONDS
    ]
    return tuple(
        Event(
            kind="number_heap",
            start=start,
            end=end,
            detail={"count": sum(start <= one[0] and one[1] <= end for one in said)},
        )
        for start, end in spans.merged(windows)
    )
