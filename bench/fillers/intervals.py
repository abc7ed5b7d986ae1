"""How much hearing differs from talk to talk, and whether the interval of the rate is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.hearing import NOISY, QUIET, Hearing, least_heard
from analysis.talk.statistics import filler_rate_interval
from bench.fillers.judged import NOISE, OTHER
from bench.fillers.matching import counted
from bench.fillers.spread import Spread, spread
from bench.fillers.systems import READERS, Held

_JOINED = 4
_SEVERAL_VOICES = "ami_"
"""Of meetings a report gives no rate."""
_NAMES = {"en": "English", "fr": "French"}


@dataclass(frozen=True, slots=True)
class JudgedTalk:
    """One talk: what was said a minute, and between what we say it was."""

    condition: str
    true_rate: float
    low: float
    high: float

    @property
    def contains(self) -> bool:
        return self.low <= self.true_rate <= self.high


def hearing_lines(found: Sequence[Held]) -> Iterator[str]:
    """What `analysis.hearing` holds: by language and sound, mean and lowest of nine in ten."""
    yield "| language, sound | fillers | found | at least | found ones true | at least |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for language, name in _NAMES.items():
        for sounding in (QUIET, NOISY):
            some = [
                one
                for one in found
                if one.judged.language == language
                and sounding_of(one) == sounding
                and not one.abstains
                and one.judged.condition != OTHER  # No talk is half music.
                and not one.judged.name.startswith(_SEVERAL_VOICES)
            ]
            counts = [counted(one.judged, one.spans) for one in some]
            # Synthetic voices say a clear euh; what people say of them is missed far more often.
            people = [
                count
                for one, count in zip(some, counts, strict=True)
                if language == "en" or one.judged.is_recorded
            ]
            hits = spread([(one.hits, one.there) for one in people])
            true = spread([(one.hits, one.hits + one.false) for one in counts])
            if hits and true:
                yield f"| {name}, {sounding} | {hits.n} | {_cells(hits)} | {_cells(true)} |"


def _cells(one: Spread) -> str:
    return f"{one.mean:.2f} | {one.low:.2f}"


def sounding_of(one: Held) -> str:
    """What the product would call it: by its noise."""
    return NOISY if one.judged.condition == NOISE else QUIET


_SHORTEST_SECONDS = 10.0
"""A report gives no rate under this."""


def is_known(one: Held) -> bool:
    """Whether the number of its fillers is exact, and a report would give a rate."""
    judged = one.judged
    return (
        judged.least == judged.most
        and judged.seconds >= _SHORTEST_SECONDS
        and not judged.name.startswith(_SEVERAL_VOICES)
    )


def interval_lines(found: Sequence[Held]) -> Iterator[str]:
    """Share of talks whose central 80% contains the true rate, alone and joined by four."""
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


def _outcome(some: Sequence[Held]) -> JudgedTalk:
    """The windows as one talk, with the interval that the product would give it."""
    minutes = sum(one.judged.seconds for one in some) / 60
    first = some[0]
    heard = _heard(first)
    low, high = filler_rate_interval(
        [chance for one in some for chance in one.probabilities],
        minutes,
        found=heard.found_at_least,
        true=min(heard.true_at_least / heard.true, 1.0),
    )
    said = sum(one.judged.most for one in some)
    return JudgedTalk(first.judged.condition, said / minutes, low, high)


def _heard(one: Held) -> Hearing:
    return least_heard(one.judged.language, READERS[one.judged.language], sounding_of(one))


def joined(outcomes: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Several windows of one condition as one talk, each window in two of them."""
    for condition, members in outcomes.items():
        for first in range(0, len(members), max(_JOINED // 2, 1)):
            chosen = tuple(members[(first + step) % len(members)] for step in range(_JOINED))
            if len(set(chosen)) == _JOINED:
                yield condition, chosen
