"""Random, even distribution of texts among coders, reproducible by a stored seed."""

from __future__ import annotations

import random
import secrets
from collections.abc import Hashable, Sequence
from typing import TypeVar

_Unit = TypeVar("_Unit", bound=Hashable)
_Who = TypeVar("_Who", bound=Hashable)


def new_seed() -> str:
    """Return eight hexadecimal characters."""
    return secrets.token_hex(4)


def shared_out(
    units: Sequence[_Unit], coders: Sequence[_Who], each_to: int, seed: str
) -> dict[_Unit, list[_Who]]:
    """Return the distribution: the same for the same seed and order of both.

    Nobody gets more than one unit more than anybody else. Units are dealt in a random order; each
    goes to the coders with the fewest so far and, among these, to those who have shared the fewest
    with each other, so that as many pairs as possible can be compared.
    """
    dice = random.Random(seed)  # noqa: S311  # said beforehand, and kept: anybody can check it
    order = list(units)
    dice.shuffle(order)
    people = list(coders)
    dice.shuffle(people)
    load = dict.fromkeys(people, 0)
    together: dict[frozenset[_Who], int] = {}
    dealt: dict[_Unit, set[_Who]] = {}
    for unit in order:
        chosen: list[_Who] = []
        while len(chosen) < min(each_to, len(people)):
            rest = [each for each in people if each not in chosen]
            chosen.append(
                min(
                    rest,
                    key=lambda who: (
                        load[who],
                        sum(together.get(frozenset((who, other)), 0) for other in chosen),
                        people.index(who),
                    ),
                )
            )
        for who in chosen:
            load[who] += 1
        for place, first in enumerate(chosen):
            for second in chosen[place + 1 :]:
                pair = frozenset((first, second))
                together[pair] = together.get(pair, 0) + 1
        dealt[unit] = set(chosen)
    return {unit: [each for each in coders if each in dealt[unit]] for unit in units}
