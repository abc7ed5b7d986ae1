"""The questions of a guide, and which of them a turn most likely asks; a person decides."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

_NUMBERED: Final = re.compile(r"^[^\S\n]*(\d{1,3})[.)]\s+(\S.*)$", re.MULTILINE)
_ALIKE: Final = 0.6
"""From this share of common letters on, a turn is proposed to ask a question (rule of thumb)."""
_MOST_COMPARED: Final = 300


def questions_in(text: str) -> dict[int, str]:
    """Numbered questions of a guide, in their order; of a number that stands twice, the first."""
    found: dict[int, str] = {}
    for number, words in _NUMBERED.findall(text):
        found.setdefault(int(number), words.strip())
    return found


def likely_question(said: str, questions: dict[int, str]) -> int | None:
    """The question that these words are most like; None where they are like none."""
    best, number = _ALIKE, None
    compared = SequenceMatcher(autojunk=False)
    compared.set_seq2(said[:_MOST_COMPARED].casefold())
    for each, words in questions.items():
        compared.set_seq1(words.casefold())
        # No two are more alike than their lengths and letters let them be, which is told at once.
        if compared.real_quick_ratio() < best or compared.quick_ratio() < best:
            continue
        alike = compared.ratio()
        if alike >= best:
            best, number = alike, each
    return number
