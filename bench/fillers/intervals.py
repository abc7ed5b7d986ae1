"""Variation of accuracy between talks, and coverage of the filler rate's interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.filler_accuracy import lowest_accuracy
from analysis.talk.filler_rate import filler_rate_interval
from bench.fillers.judged import OTHER
from bench.fillers.matching import counted
from bench.fillers.spread import ShareSpread, spread
from bench.fillers.systems import READERS, HeldOutResult

_JOINED = 4
_SEVERAL_VOICES = "ami_"
"""Prefix of meeting recordings, for which a report gives no rate."""
_NAMES = {"en": "English", "fr": "French"}
_ENOUGH_OF_PEOPLE = 20
"""Detected fillers in human speech below which synthetic speech is added."""


@dataclass(frozen=True, slots=True)
class JudgedTalk:
    """True rate of one talk, and the interval given by the product."""

    condition: str
    true_rate: float
    low: float
    high: float

    @property
    def contains(self) -> bool:
        return self.low <= self.true_rate <= self.high


def hearing_lines(found: Sequence[HeldOutResult]) -> Iterator[str]:
    """Yield the table of `analysis.filler_accuracy`: mean and lowest of nine in ten talks."""
    yield "| language | fillers | found | at least | marked | of which true | at least |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for language, name in _NAMES.items():
        some = [one for one in found if one.judged.language == language and _tells(one)]
        people = [one for one in some if one.judged.is_unchanged]
        hits = spread(_found_of_said(people))
        true = spread(_true_of_marked(people))
        if true is None or true.n < _ENOUGH_OF_PEOPLE:
            true = spread(_true_of_marked(some))
        if hits and true:
            yield f"| {name} | {hits.n} | {_cells(hits)} | {true.n} | {_cells(true)} |"


def _tells(one: HeldOutResult) -> bool:
    return not one.abstains and not one.judged.name.startswith(_SEVERAL_VOICES)


def _found_of_said(some: Sequence[HeldOutResult]) -> list[tuple[int, int]]:
    counts = [counted(one.judged, one.spans) for one in some]
    return [(one.hits, one.there) for one in counts]


def _true_of_marked(some: Sequence[HeldOutResult]) -> list[tuple[int, int]]:
    # No talk is half music.
    counts = [counted(one.judged, one.spans) for one in some if one.judged.condition != OTHER]
    return [(one.hits, one.hits + one.false) for one in counts]


def _cells(one: ShareSpread) -> str:
    return f"{one.mean:.2f} | {one.low:.2f}"


_SHORTEST_SECONDS = 10.0
"""Length below which a report gives no rate."""


def is_known(one: HeldOutResult) -> bool:
    """Return whether the number of fillers is exact, and a report would give a rate."""
    judged = one.judged
    return (
        judged.least == judged.most
        and judged.seconds >= _SHORTEST_SECONDS
        and not judged.name.startswith(_SEVERAL_VOICES)
    )


def interval_lines(found: Sequence[HeldOutResult]) -> Iterator[str]:
    """Yield the share of talks whose central 80% contains the true rate, singly
    and joined by four.
    """
    found = [one for one in found if not one.abstains]
    alone = [_outcome([one]) for one in found]
    members: dict[str, list[int]] = {}
    for index, one in enumerate(found):
        members.setdefault(one.judged.condition, []).append(index)
    together = [_outcome([found[index] for index in chosen]) for _, chosen in joined(members)]
    yield "| condition | talks of half a minute | contain | of two minutes | contain |"
    yield "| --- | --- | --- | --- | --- |"
    for condition in ("all", *members):
        cells = []
        for outcomes in (alone, together):
            some = [one for one in outcomes if condition in ("all", one.condition)]
            held = sum(one.contains for one in some)
            cells += [str(len(some)), f"{held}: {held / len(some):.2f}" if some else "–"]
        yield f"| {condition} | {' | '.join(cells)} |"


def _outcome(some: Sequence[HeldOutResult]) -> JudgedTalk:
    """Return the windows as one talk, with the interval that the product would give."""
    minutes = sum(one.judged.seconds for one in some) / 60
    first = some[0]
    language = first.judged.language
    heard = lowest_accuracy(language, READERS[language])
    marked = [chance for one in some for chance in one.probabilities]
    low, high = filler_rate_interval(marked, minutes, heard)
    said = sum(one.judged.most for one in some)
    return JudgedTalk(first.judged.condition, said / minutes, low, high)


def joined(outcomes: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield several windows of one condition as one talk; each window is in two of them."""
    for condition, members in outcomes.items():
        for first in range(0, len(members), max(_JOINED // 2, 1)):
            chosen = tuple(members[(first + step) % len(members)] for step in range(_JOINED))
            if len(set(chosen)) == _JOINED:
                yield condition, chosen
