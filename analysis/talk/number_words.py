"""Numbers to remember: digits and number words, each consecutive run once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, plain
from analysis.talk.phrases import are_believed
from analysis.talk.sentences import CLAUSE_END

_DIGITS = re.compile(r"\d[\d.,]*")
_LEAST_TO_KEEP = 5
"""Smallest number that is a load; smaller ones mostly count nothing ("one of them") (rule of
thumb).
"""
_LARGE = 20
"""Smallest number that draws attention (rule of thumb)."""

_SIZE = 1000
"""Number from which a quantity is large (rule of thumb)."""
_NEAR_WORDS = 4
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_DECIMALS = re.compile(r"[.,]\d{1,2}$")
_THOUSANDS = frozenset(
    {
        *("thousand", "million", "billion", "thousands", "millions", "billions", "mille"),
        *("milliers", "millier", "milliard", "milliards"),
    }
)
_SHARES = frozenset({"percent", "pourcent", "pour-cent"})


def find_numbers(words: Sequence[Word], data: LanguageData) -> tuple[tuple[int, int], ...]:
    """Return half-open index ranges; "forty-two thousand" is one number."""
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
    """Return whether a number draws attention: "six o'clock" and "ten years" do not."""
    texts = [plain(word.text) for word in words]
    digits = [re.sub(r"\D", "", text) for text in texts]
    return any(
        text in data.large_number_words or "%" in word.text or int(figures or 0) >= _LARGE
        for text, word, figures in zip(texts, words, digits, strict=True)
    )


def is_striking(
    words: Sequence[Word], number: tuple[int, int], sentence: tuple[int, int], data: LanguageData
) -> bool:
    """Return whether a number is meant to impress: a share, thousands, or a contrast.

    Excluded are the speaker's own counts ("so I asked 80 people"), years and periods; in doubt the
    result is False.
    """
    first, last = number
    before = {plain(word.text) for word in words[sentence[0] : first]}
    around = {plain(word.text) for word in words[sentence[0] : sentence[1]]}
    if before & data.first_person or around & data.method_words:
        return False
    said = words[first:last]
    after = plain(words[last].text) if last < sentence[1] else ""
    if _is_year(said) or (is_unit(after, data) and not _is_size(said, data)):
        return False
    near = {plain(word.text) for word in words[max(sentence[0], first - _NEAR_WORDS) : first]}
    is_share = any(
        "%" in word.text or plain(word.text) in _SHARES for word in words[first : last + 1]
    )
    return is_share or _is_size(said, data) or bool(near & data.contrast_words)


def is_unit(text: str, data: LanguageData) -> bool:
    """Return whether a word is a unit of time or measure, singular or plural."""
    return bool(_singulars(text) & data.unit_words)


def is_everyday(text: str, data: LanguageData) -> bool:
    """Return whether a word is a frequent one, singular or plural."""
    return bool(_singulars(text) & data.everyday_words)


def _singulars(text: str) -> set[str]:
    """Return the word with and without plural or elision: l'année, weeks, bodies."""
    bare = text.rpartition("'")[2] if "'" in text[:3] else text.removesuffix("'s")
    found = {text, bare, bare.removesuffix("s"), bare.removesuffix("es"), bare.removesuffix("x")}
    return found | ({f"{bare[:-3]}y"} if bare.endswith("ies") else set())


def _is_year(words: Sequence[Word]) -> bool:
    return len(words) == 1 and bool(_YEAR.fullmatch(plain(words[0].text)))


def _is_size(words: Sequence[Word], data: LanguageData) -> bool:
    """Return whether the number is a thousand or more."""
    figures = [re.sub(r"\D", "", _DECIMALS.sub("", plain(word.text))) for word in words]
    is_written = any(int(figure or 0) >= _SIZE for figure in figures)
    return is_written or any(plain(word.text) in _THOUSANDS for word in words)


def _goes_on(words: Sequence[Word], end: int, index: int, data: LanguageData) -> bool:
    """Return whether only "and" or nothing separates the parts of one number."""
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
