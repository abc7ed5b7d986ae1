"""Words of somebody in what others wrote down: quotes in a codebook, in memos, in notes.

Whoever leaves takes their words along, also those that a researcher copied as an example. A quote
is five words in a row that nobody else said as well (rule of thumb): fewer are anybody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

LEAST_WORDS = 5
LEFT_OUT = "[…]"
"""Stands for what is quoted."""
_WORD = re.compile(r"\w+")

_Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What some people said, as the runs of words by which it is known again."""

    runs: frozenset[_Run]

    @classmethod
    def by(cls, theirs: Iterable[str], others: Iterable[str] = ()) -> Said:
        """What stands in `theirs` and in none of what others said."""
        runs = {run for words in theirs for run, _start, _end in _runs(words)}
        if runs:
            for words in others:
                runs -= {run for run, _start, _end in _runs(words)}
        return cls(frozenset(runs))

    def taken_out_of(self, text: str) -> str:
        """The text without what it quotes of them."""
        if not self.runs:
            return text
        places: list[tuple[int, int]] = []
        for run, start, end in _runs(text):
            if run not in self.runs:
                continue
            first = places.pop()[0] if places and start <= places[-1][1] else start
            places.append((first, end))
        for start, end in reversed(places):
            text = f"{text[:start]}{LEFT_OUT}{text[end:]}"
        return text


def _runs(text: str) -> Iterable[tuple[_Run, int, int]]:
    """Each five words in a row, in any case and with any marks between them, and where they are."""
    found = [(match.group().casefold(), *match.span()) for match in _WORD.finditer(text)]
    for place in range(len(found) - LEAST_WORDS + 1):
        those = found[place : place + LEAST_WORDS]
        yield tuple(word for word, _start, _end in those), those[0][1], those[-1][2]
