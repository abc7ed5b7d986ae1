"""Folding of case, accents and invisible characters, so that one name is one however it is written.

Folded text is only compared, never stored: every place is mapped back to the text as it is.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Callable
from functools import cache
from typing import Final

_ALIKE: Final = str.maketrans(
    {
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "ħ": "h",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "ð": "d",
        **dict.fromkeys("’‘ʼʹ′`´＇", "'"),
        **dict.fromkeys("‐‑‒–−－", "-"),
        "ى": "ي",
        "ی": "ي",
        "ک": "ك",
        "ـ": "",
    }
)
"""Letters and marks that Unicode does not decompose, and people write for each other; the last are
Arabic and Persian forms of a letter, and the line that stretches a word."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(point) for point in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
"""Default-ignorable characters that are not in the category Cf."""
_ACCENTS: Final = 200
"""Canonical combining classes from here on are accents; below, 10 to 35 are the vowel points of
Hebrew and Arabic. Marks of other classes are letters of their script (Thai vowels, か and が)."""


def _is_accent(letter: str) -> bool:
    order = unicodedata.combining(letter)
    return order >= _ACCENTS or order == 1 or 10 <= order <= 35


@cache
def _folded_letter(letter: str) -> str:
    if letter in _INVISIBLE or unicodedata.category(letter) == "Cf":
        return ""
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).casefold())
    return "".join(each for each in parts if not _is_accent(each)).translate(_ALIKE)


@cache
def _visible_letter(letter: str) -> str:
    is_seen = letter not in _INVISIBLE and unicodedata.category(letter) != "Cf"
    return letter if is_seen and not _is_accent(letter) else ""


class MappedText:
    """A text rewritten letter by letter, with the place of each letter in the original."""

    def __init__(self, original: str, rewritten: Callable[[str], str]) -> None:
        pieces = [rewritten(letter) for letter in original]
        self.text = "".join(pieces)
        self._places = array("L")
        for place, piece in enumerate(pieces):
            self._places.extend([place] * len(piece))
        self._length = len(original)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the span of the original; None if it would begin or end inside a letter."""
        places = self._places
        first, last = places[start], places[end - 1]
        is_torn = (start and places[start - 1] == first) or (
            end < len(places) and places[end] == last
        )
        # Marks and invisible characters behind the last letter belong to it.
        return None if is_torn else (first, places[end] if end < len(places) else self._length)


def folded(text: str) -> MappedText:
    """Return the folded text with its places."""
    return MappedText(text, _folded_letter)


def visible(text: str) -> MappedText:
    """Return the text without invisible characters and loose accents, with its places."""
    return MappedText(text, _visible_letter)


def fold(text: str) -> str:
    """Return the folded text."""
    return "".join(map(_folded_letter, text))
