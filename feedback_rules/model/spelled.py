"""Shares written in words, in English and French: one sentence end in five, sept dixièmes."""

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
_NO_LIMIT = re.compile(
    rf"\b(?:first|last|premier|première|dernier|dernière)(?:\s+and\s+last)?\s+(?:{'|'.join(_PARTS)})s?\b"
    r"|\bhalf\s+an?\s+(?:second|minute|hour|percent|semitone)s?\b"
    r"|\bhalf\s+(?:second|minute|hour)s?\b"
    r"|\bdemi(?:-|\s)(?:seconde|minute|heure|pour|tons?)\b"
)


def shares_in(text: str) -> frozenset[float]:
    """Return every share that is written in words."""
    return frozenset(round(share, 6) for share in _found(text.casefold()))


def limits_in(text: str) -> frozenset[float]:
    """Return the shares without parts of a unit, such as half a second, or of the talk, such as its
    last fifth.
    """
    return shares_in(_NO_LIMIT.sub(" ", text.casefold()))


def _found(text: str) -> Iterator[float]:
    for some, of in _OUT_OF.findall(text):
        if _NUMBERS[some] < _NUMBERS[of]:
            yield _NUMBERS[some] / _NUMBERS[of]
    for some, part in _OF_A_WHOLE.findall(text):
        yield _NUMBERS.get(some, 1) / _PARTS[part]
