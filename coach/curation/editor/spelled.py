"""Shares that a text spells out, in English and French: one sentence end in five, sept dixièmes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENGLISH = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_FRENCH = ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"]
_NUMBERS = {
    **{word: number for number, word in enumerate(_ENGLISH, start=1)},
    **{word: number for number, word in enumerate(_FRENCH, start=1)},
    "une": 1,
}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "moitié": 2, "demi": 2, "tiers": 3, "quart": 4,
    "cinquième": 5, "sixième": 6, "septième": 7, "huitième": 8, "neuvième": 9, "dixième": 10,
}  # fmt: skip
_NUMBER = "|".join(_NUMBERS)
_OUT_OF = re.compile(
    rf"\b({_NUMBER})(?:\s+(?:of\s+)?[\w’'-]+){{0,4}}?\s+(?:in|sur)\s+({_NUMBER})\b"
)
_OF_A_WHOLE = re.compile(rf"\b(?:({_NUMBER})\s+)?({'|'.join(_PARTS)})s?\b")


def shares_in(text: str) -> frozenset[float]:
    """Every share that is written in words."""
    return frozenset(round(share, 6) for share in _found(text.casefold()))


def _found(text: str) -> Iterator[float]:
    for some, of in _OUT_OF.findall(text):
        if _NUMBERS[some] < _NUMBERS[of]:
            yield _NUMBERS[some] / _NUMBERS[of]
    for some, part in _OF_A_WHOLE.findall(text):
        yield _NUMBERS.get(some, 1) / _PARTS[part]
