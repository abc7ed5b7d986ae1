"""Agreement of two coaches on the moments of an item.

For items that both would keep: what both marked as a share of what either did (intersection over
union), and Krippendorff's nominal alpha (2011) over the time of the talk, cut into slices that lie
in a moment or not. That is not one of his coefficients for unitizing (Krippendorff, Mathet, Bouvry
and Widlöcher 2016), which take a moment as one thing and expect chance otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coach.lib.agreement import CodedUnit
from coach.review.second.models import Decision
from coach.review.second.pairs import ItemOpinion, Judged, Pair, Spans

FIRST, SECOND = "first", "second"
SLICES_A_SECOND = 10
"""The number of slices per second, finer than anybody marks, to avoid rounding (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenTwice:
    """An item that two coaches would keep, with each one's moments in seconds."""

    take: str
    duration: float
    first: Spans
    second: Spans
    is_marked: bool
    """Whether both marked moments; otherwise a person is compared with the machine."""

    @property
    def overlap(self) -> float:
        """The intersection over union, 0 to 1."""
        both, either = _both(self.first, self.second), _either(self.first, self.second)
        return both / either if either else 0.0

    def units(self) -> Iterator[CodedUnit]:
        """Yield the slices of the talk, with equal ones grouped in one row."""
        both = _both(self.first, self.second)
        first, second = _length(self.first) - both, _length(self.second) - both
        neither = max(self.duration - both - first - second, 0.0)
        for values, seconds in (
            ((True, True), both),
            ((True, False), first),
            ((False, True), second),
            ((False, False), neither),
        ):
            count = round(seconds * SLICES_A_SECOND)
            if count:
                said = dict(zip((FIRST, SECOND), values, strict=True))
                yield CodedUnit(values=said, cluster=self.take, count=count)


def seen_twice(pairs: Iterable[Pair]) -> Iterator[SeenTwice]:
    """Yield items that both coaches would keep and for which both have moments."""
    for pair in pairs:
        a, b = _kept(pair.first), _kept(pair.second)
        for rule in sorted(a.keys() & b.keys()):
            one, other = a[rule], b[rule]
            if one.moments and other.moments:
                yield SeenTwice(
                    take=pair.take,
                    duration=pair.duration,
                    first=one.moments,
                    second=other.moments,
                    is_marked=bool(one.own_moments and other.own_moments),
                )


def _kept(opinion: Judged) -> dict[str, ItemOpinion]:
    return {
        rule: each
        for rule, each in opinion.decisions.items()
        if each.kind == Decision.Kind.KEEP and each.tells_where
    }


def _joined(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _length(spans: Spans) -> float:
    return sum(end - start for start, end in _joined(spans))


def _either(first: Spans, second: Spans) -> float:
    return _length([*first, *second])


def _both(first: Spans, second: Spans) -> float:
    return _length(first) + _length(second) - _either(first, second)
