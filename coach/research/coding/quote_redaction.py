"""Quotes of a participant in others' texts: in a codebook, memos and notes.

The words of a withdrawn participant are removed, also where a researcher copied them as an example.
A quote is five words in a row that no other person said too (rule of thumb): shorter runs belong to
nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

LEAST_WORDS = 5
LEFT_OUT = "[…]"
"""Replaces a quote."""
_WORD = re.compile(r"\w+")

_Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotableRuns:
    """People's words, as the runs of words that identify a quote."""

    runs: frozenset[_Run]

    @classmethod
    def by(cls, theirs: Iterable[str], others: Iterable[str] = ()) -> QuotableRuns:
        """Return the runs in `theirs` that do not occur in others' words."""
        runs = {run for words in theirs for run, _start, _end in _runs(words)}
        if runs:
            for words in others:
                runs -= {run for run, _start, _end in _runs(words)}
        return cls(frozenset(runs))

    def taken_out_of(self, text: str) -> str:
        """Return the text without quotes of these people."""
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
    """Yield each run of five words with its span, ignoring case and punctuation."""
    found = [(match.group().casefold(), *match.span()) for match in _WORD.finditer(text)]
    for place in range(len(found) - LEAST_WORDS + 1):
        those = found[place : place + LEAST_WORDS]
        yield tuple(word for word, _start, _end in those), those[0][1], those[-1][2]
