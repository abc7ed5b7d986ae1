"""Numbers that a listener has to keep: digits and number words, each run of them once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, plain
from analysis.talk.phrases import are_believed
from analysis.talk.sentences import CLAUSE_END

_DIGITS = re.compile(r"\d[\d.,]*")
_LEAST_TO_KEEP = 5
"""Smaller ones mostly count nothing ("one of them") and are no load (rule of thumb)."""
_LARGE = 20
"""Rule of thumb."""


def numbers(words: Sequence[Word], data: LanguageData) -> tuple[tuple[int, int], ...]:
    """Half-open ranges of indices; "forty-two thousand" is one number."""
    found: list[tuple[int, int]] = []
    for index, word in enumerate(words):
        if not _is_number(plain(word.text), data) or not are_believed([word]):
            continue
        if found and _goes_on(words, found[-1][1], index, data):
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
    return tuple(found)


def is_large(words: Sequence[Word], data: LanguageData) -> bool:
    """Whether a number is one that draws attention: "six o'clock" and "ten years" are not."""
    texts = [plain(word.text) for word in words]
    digits = [re.sub(r"\D", "", text) for text in texts]
    return any(
        text in data.large_number_words or "%" in word.text or int(figures or 0) >= _LARGE
        for text, word, figures in zip(texts, words, digits, strict=True)
    )


def _goes_on(words: Sequence[Word], end: int, index: int, data: LanguageData) -> bool:
    """Whether nothing, or only "and", lies between the parts of one number."""
    between = words[end:index]
    if any(plain(word.text) not in data.number_joiners for word in between) or len(between) > 1:
        return False
    return not any(word.text[-1:] in CLAUSE_END for word in words[end - 1 : index])


def _is_number(text: str, data: LanguageData) -> bool:
    digits = _DIGITS.search(text)
    if digits is not None:
        bare = re.sub(r"\D", "", digits.group())
        return len(bare) > 1 or int(bare) >= _LEAST_TO_KEEP or "%" in text
    parts = text.split("-")
    return text in data.number_words or all(part in data.number_words for part in parts)
