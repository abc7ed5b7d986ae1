"""Sentences and clauses, as ended by punctuation and pauses."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.results import Word
from analysis.talk.languages import LanguageData, plain

SENTENCE_END = ".!?…"
CLAUSE_END = SENTENCE_END + ",;:—–"
_CLOSING = "\"'”’»)]"


def sentence_ranges(words: Sequence[Word], data: LanguageData) -> tuple[tuple[int, int], ...]:
    """Return half-open ranges of indices into `words` that cover all of them."""
    ranges: list[tuple[int, int]] = []
    first = 0
    for index, word in enumerate(words):
        if ends_sentence(word, data) or index == len(words) - 1:
            ranges.append((first, index + 1))
            first = index + 1
    return tuple(ranges)


def ends_sentence(word: Word, data: LanguageData) -> bool:
    """Return whether the word closes a sentence; abbreviations and initials do not.

    Words that must be followed by another do not either: after "with the." the speaker has only
    paused.
    """
    bare = word.text.rstrip(_CLOSING)
    if not bare or bare[-1] not in SENTENCE_END:
        return False
    stem = plain(bare)
    is_initial = len(stem) == 1 and stem.isalpha() and stem != "i"
    is_open = stem in data.never_last
    return not (bare.endswith(".") and (stem in data.abbreviations or is_initial or is_open))


def ends_clause(word: Word, following: Word | None, data: LanguageData) -> bool:
    """Return whether a clause ends here, by punctuation or because the next word opens one."""
    bare = word.text.rstrip(_CLOSING)
    if bare and bare[-1] in CLAUSE_END:
        return plain(bare) not in data.never_last
    return following is not None and plain(following.text) in data.clause_words
