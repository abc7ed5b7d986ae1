"""Capital letters around filled pauses, which the recogniser had omitted.

A recogniser that omits "um" capitalises the word after it as the beginning of the sentence. With
the um inserted this reads "um It's", so the um gets the capital. Only letters change; positions,
times and counts of words do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, is_filled_pause, plain
from analysis.talk.sentences import ends_sentence

_ADVERB, _LEAST_LETTERS = ("fully", "ally", "ously", "ently", "antly", "ably", "ement"), 8
"""Endings of adverbs (hopefully, basically, actuellement); no names of this length end so (rule of
thumb).
"""
_BROKEN_OFF = ("...", "…")


def with_capitals(words: Sequence[Word], data: LanguageData) -> tuple[Word, ...]:
    """Return the words in lower case after an um and after a sentence that continues.

    Names, "I" and initials are unchanged: a word is lowered only if it is a common one, or if the
    speaker's own words contain it in lower case.
    """
    small = {plain(word.text) for word in words if word.text[:1].islower()}
    small |= data.common_words | data.clause_words | data.never_last | data.rarely_last
    found: list[Word] = []
    for index, word in enumerate(words):
        begins = index == 0 or ends_sentence(words[index - 1], data)
        if is_filled_pause(word, data):
            found.append(_capital(word) if begins else word)
        elif (
            not begins
            and _is_wrongly_capitalised(words[index - 1], data)
            and _may_be_lower_case(word, small)
        ):
            found.append(_with_text(word, word.text[0].lower() + word.text[1:]))
        else:
            found.append(word)
    return tuple(found)


def _is_wrongly_capitalised(before: Word, data: LanguageData) -> bool:
    """Return whether the next word was capitalised wrongly."""
    return is_filled_pause(before, data) or before.text.endswith(_BROKEN_OFF)


def _may_be_lower_case(word: Word, small: set[str]) -> bool:
    text, bare = word.text, plain(word.text)
    is_capital = text[:1].isupper() and not text[1:2].isupper()
    if not is_capital or bare == "i" or bare.startswith("i'"):
        return False
    return bare in small or (len(bare) >= _LEAST_LETTERS and bare.endswith(_ADVERB))


def _capital(word: Word) -> Word:
    return _with_text(word, word.text[:1].upper() + word.text[1:])


def _with_text(word: Word, text: str) -> Word:
    return word if text == word.text else word.model_copy(update={"text": text})
