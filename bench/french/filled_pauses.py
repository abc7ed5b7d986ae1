"""Rate of *euh* in talks of several kinds: the norms that the French card compares with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.french.corpora import GROUPS, Tier, group_of, is_filled_pause, prosody
from bench.intervals import resampled

PLANNED, UNPREPARED = 1.7, 10.9
"""*Euh* a minute in the whole corpus: 6 planned public talks (42 minutes), 22 spontaneous
monologues (20 minutes). The parts at hand are smaller.
"""


def lines(corpora: Path) -> Iterator[str]:
    """Yield the table by group of talks, and the rate from which a count tells for unprepared
    speech.
    """
    found = [(name, rate_of(tiers["word"])) for name, tiers in prosody(corpora)]
    yield "| talks at hand | n, minutes | a minute (95% range) | of a talk: least, median, most |"
    yield "| --- | --- | --- | --- |"
    for group, title in GROUPS.items():
        yield _row(title, [one for name, one in found if group_of(name) == group])
    yield ""
    yield (
        f"Between {PLANNED} and {UNPREPARED} a minute (the whole corpus) the likelihoods are equal "
        f"at {equally_likely(PLANNED, UNPREPARED):.2f}."
    )


def rate_of(tier: Tier) -> tuple[int, float]:
    """Return the filled pauses of a talk, and its minutes from the first word to the last."""
    count = sum(is_filled_pause(text) for _, _, text in tier.pieces)
    return count, (tier.pieces[-1][1] - tier.pieces[0][0]) / 60


def equally_likely(low: float, high: float) -> float:
    """Return the rate at which Poisson counts of two rates are equally likely."""
    return (high - low) / math.log(high / low)


def _row(title: str, each: Sequence[tuple[int, float]]) -> str:
    near = resampled(each, _pooled)
    reach = f" ({near[0]:.1f} to {near[1]:.1f})" if near else ""
    rates = [count / minutes for count, minutes in each]
    return (
        f"| {title} | {len(each)}, {sum(minutes for _, minutes in each):.0f} | "
        f"{_pooled(each):.1f}{reach} | {min(rates):.1f}, {np.median(rates):.1f}, {max(rates):.1f} |"
    )


def _pooled(each: Sequence[tuple[int, float]]) -> float:
    return sum(count for count, _ in each) / sum(minutes for _, minutes in each)
