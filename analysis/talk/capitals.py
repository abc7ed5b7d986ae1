"""Capital letters around filled pauses, which nobody wrote when the words got theirs.

A recogniser that leaves "um" out writes the word after it as the beginning of the sentence. With
the um in its place that reads "um It's": the um takes the capital then. Only letters change, so
that places, times and counts of words stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.sentences import ends_sentence

_ADVERB, _LEAST_LETTERS = ("fully", "ally", "ously", "ently", "antly", "ably", "ement"), 8
"""Hopefully, basically, actuellement: no names end so that are as long (rule of thumb)."""
_BROKEN_OFF = ("...", "…")


def with_capitals(words: Sequence[Word], data: LanguageData) -> tuple[Word, ...]:
    """The words with small letters behind an um and behind a sentence that goes on.

    Names, "I" and initials keep theirs: a word becomes small where it is a common one, or where the
    speaker's own words hold it written small.
    """
    small = {plain(word.text) for word in words if word.text[:1].islower()}
    small |= data.common_words | data.clause_words | data.never_last | data.rarely_last
    found: list[Word] = []
    for index, word in enumerate(words):
        begins = index == 0 or ends_sentence(words[index - 1], data)
        if is_filled_pause(word, data):
            found.append(_capital(word) if begins else word)
        elif not begins and _goes_on(words[index - 1], data) and _can_be_small(word, small):
            found.append(_with_text(word, word.text[0].lower() + word.text[1:]))
        else:
            found.append(word)
    return tuple(found)


def _goes_on(before: Word, data: LanguageData) -> bool:
    """Whether the word behind this one was given a capital that it has no right to."""
    return is_filled_pause(before, data) or before.text.endswith(_BROKEN_OFF)


def _can_be_small(word: Word, small: set[str]) -> bool:
    text, bare = word.text, plain(word.text)
    is_capital = text[:1].isupper() and not text[1:2].isupper()
    if not is_capital or bare == "i" or bare.startswith("i'"):
        return False
    return bare in small or (len(bare) >= _LEAST_LETTERS and bare.endswith(_ADVERB))


def _capital(word: Word) -> Word:
    return _with_text(word, word.text[:1].upper() + word.text[1:])


def _with_text(word: Word, text: str) -> Word:
    return word if text == word.text else word.model_copy(update={"text": text})
