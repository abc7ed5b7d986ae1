"""Questions of an interview guide, and the one that a turn most likely asks; a person decides."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

_NUMBERED: Final = re.compile(r"^[^\S\n]*(\d{1,3})[.)]\s+(\S.*)$", re.MULTILINE)
_ALIKE: Final = 0.6
"""From this share of common letters on, a turn is proposed to ask a question (rule of thumb)."""
_MOST_COMPARED: Final = 300


def questions_in(text: str) -> dict[int, str]:
    """Return the numbered questions of a guide, in order; for a repeated number, the first."""
    found: dict[int, str] = {}
    for number, words in _NUMBERED.findall(text):
        found.setdefault(int(number), words.strip())
    return found


def likely_question(said: str, questions: dict[int, str]) -> int | None:
    """Return the number of the most similar question; None if none is similar enough."""
    best, number = _ALIKE, None
    compared = SequenceMatcher(autojunk=False)
    compared.set_seq2(said[:_MOST_COMPARED].casefold())
    for each, words in questions.items():
        compared.set_seq1(words.casefold())
        # A cheap upper bound of the similarity, from lengths and letters.
        if compared.real_quick_ratio() < best or compared.quick_ratio() < best:
            continue
        alike = compared.ratio()
        if alike >= best:
            best, number = alike, each
    return number
