"""Spelled letters, as in "B B C", which are not broken-off words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.results import Word
from analysis.talk.languages import plain
from analysis.talk.sentences import SENTENCE_END

ONE_LETTER_WORDS = frozenset("aioyà")
"""Words of one letter. In lower case they are not letters, and "I" alone is never one."""
_AT_ONCE_SECONDS = 1.0
_ALWAYS_LARGE = "i"


def spelled_letters(words: Sequence[Word]) -> frozenset[int]:
    """Return indices of spelled letters: several in a row, or a capital inside a sentence.

    One letter repeated before a word that begins with it ("B B but") is a stutter.
    """
    rows = (_without_i(words, first, last) for first, last in _rows(words))
    return frozenset(
        index
        for first, last in rows
        if first < last and _is_spelled(words, first, last)
        for index in range(first, last)
    )


def is_spelled(text: str) -> bool:
    """Return whether one written word is a row of letters, as in "A-A-A"."""
    parts = text.strip(".,").split("-")
    is_row = len(parts) > 1 and all(len(part) == 1 and part.isupper() for part in parts)
    return is_row and {part.lower() for part in parts} != {_ALWAYS_LARGE}


def _rows(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield half-open ranges of letters that follow each other at once."""
    first = 0
    for index in range(len(words) + 1):
        goes_on = index < len(words) and _is_letter(words[index])
        if goes_on and (index == first or _is_at_once(words[index - 1], words[index])):
            continue
        if index > first:
            yield first, index
        first = index if goes_on else index + 1


def _without_i(words: Sequence[Word], first: int, last: int) -> tuple[int, int]:
    """Strip "I" from both ends of a row; it is mostly the pronoun there, as in "plan B. I, I
    think".
    """
    while first < last and plain(words[first].text) == _ALWAYS_LARGE:
        first += 1
    while first < last and plain(words[last - 1].text) == _ALWAYS_LARGE:
        last -= 1
    return first, last


def _is_letter(word: Word) -> bool:
    letter = word.text.strip(".,!?;:")
    is_large_or_no_word = letter.isupper() or letter not in ONE_LETTER_WORDS
    return len(letter) == 1 and letter.isalpha() and is_large_or_no_word


def _is_at_once(word: Word, following: Word) -> bool:
    return following.start - word.end < _AT_ONCE_SECONDS


def _is_spelled(words: Sequence[Word], first: int, last: int) -> bool:
    letters = {plain(word.text) for word in words[first:last]}
    if last - first == 1 and not _is_capital_inside(words, first):
        return False
    behind = plain(words[last].text) if last < len(words) else ""
    return len(letters) > 1 or not behind.startswith(letters.pop())


def _is_capital_inside(words: Sequence[Word], index: int) -> bool:
    """Return whether it is a capital letter that does not open a sentence."""
    is_inside = index > 0 and words[index - 1].text[-1:] not in SENTENCE_END
    return is_inside and words[index].text[:1].isupper()
