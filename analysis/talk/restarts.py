"""Restarts: words repeated at once or cut off, which are not part of the intended text."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, plain
from analysis.talk.sentences import ends_clause, ends_sentence
from analysis.talk.spelled_letters import spelled_letters

_AT_ONCE_SECONDS = 1.0
"""Time within which repeated words are disfluent; later ones are rhetorical (rule of thumb)."""
_EMPHASIS = 3
"""Repetitions of a content word that are emphasis; "the" and "we" are never (rule of thumb)."""


def restarts(words: Sequence[Word], data: LanguageData) -> tuple[tuple[int, int], ...]:
    """Return half-open index ranges of words that are repeated at once or cut off.

    The range contains the abandoned words, not the repetition: one to three words, repeated within
    1 s. Words that are correctly doubled ("had had") or repeated for emphasis do not count, nor
    spelled letters, nor the end of a sentence repeated at the start of the next ("for it. It is").
    """
    texts = [plain(word.text) for word in words]
    letters = spelled_letters(words)
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(words):
        is_spelled = index in letters or index + 1 in letters
        width = 0 if is_spelled else _repeated_width(words, texts, index, data)
        if width:
            found.append((index, index + width))
            index += width
        else:
            if words[index].text.rstrip(".,").endswith("-") and len(texts[index]) > 0:
                found.append((index, index + 1))
            index += 1
    return tuple(found)


def _repeated_width(
    words: Sequence[Word], texts: Sequence[str], index: int, data: LanguageData
) -> int:
    for width in (3, 2, 1):
        first, second = texts[index : index + width], texts[index + width : index + 2 * width]
        if len(second) < width or first != second or not all(first):
            continue
        abandoned = words[index : index + width]
        if words[index + width].start - abandoned[-1].end > _AT_ONCE_SECONDS:
            continue
        if any(ends_sentence(word, data) for word in abandoned):
            continue
        if _is_intended(texts, index, width, data) or _is_name(words, index, width, data):
            continue
        return width
    return 0


def _is_intended(texts: Sequence[str], index: int, width: int, data: LanguageData) -> bool:
    """Return whether a repetition is intended: figures, "long, long", "never, never, never"."""
    said = texts[index : index + width]
    if width > 1:
        return width == 2 and _are_joined(said, data)
    word = said[0]
    if word in data.doubled_words or word.isdecimal() or word in data.number_words:
        return True
    return word not in data.common_words and _times(texts, index) >= _EMPHASIS


def _is_name(words: Sequence[Word], index: int, width: int, data: LanguageData) -> bool:
    """Return whether a name is said twice: several words ("New York, New York"), or one without a
    comma ("Bora Bora") or with another comma after it.

    A speaker who restarts continues at once. Inside a sentence only names are capitalised.
    """
    again = words[index + width : index + 2 * width]
    if any(not w.text[:1].isupper() or plain(w.text) in data.common_words for w in again):
        return False
    is_one = not ends_clause(words[index + width - 1], None, data)
    return width > 1 or is_one or ends_clause(again[-1], None, data)


def _are_joined(said: Sequence[str], data: LanguageData) -> bool:
    """Return whether a content word is joined to itself, as in "again and again and again"."""
    others = [text for text in said if text not in data.number_joiners]
    return len(others) == 1 and others[0] not in data.common_words


def _times(texts: Sequence[str], index: int) -> int:
    """Return how often a word is said in a row."""
    first = last = index
    while first > 0 and texts[first - 1] == texts[index]:
        first -= 1
    while last + 1 < len(texts) and texts[last + 1] == texts[index]:
        last += 1
    return last - first + 1
