"""Pause position within a sentence."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from analysis.ports import Span
from analysis.results import Word
from analysis.talk.languages import LanguageData, plain
from analysis.talk.sentences import ends_clause, ends_sentence
from analysis.talk.talk import Talk

_SLACK_SECONDS = 0.2
_SEARCHING_SECONDS = 2.0
"""Shortest pause of a search for words (rule of thumb)."""


def place_of(pause: Span, talk: Talk) -> str:
    """Return the position of a pause in its sentence, from the words before and after it."""
    data = talk.language_data
    words = talk.spoken_words
    if not words:
        return "unknown"
    after = _word_after(pause, words)
    if after == 0 or after == len(words):
        return "sentence_end" if after == len(words) else "unknown"
    before, following = words[after - 1], words[after]
    if before.start > pause[0]:
        return "unknown"
    if ends_sentence(before, data):
        return "mid_clause" if _is_unlikely_full_stop(pause, before, data) else "sentence_end"
    return "clause_boundary" if ends_clause(before, following, data) else "mid_clause"


def _is_unlikely_full_stop(pause: Span, before: Word, data: LanguageData) -> bool:
    """Return whether the full stop is probably the recogniser's, which writes one into long
    silences.
    """
    is_long = pause[1] - pause[0] >= _SEARCHING_SECONDS
    return is_long and before.text.endswith(".") and plain(before.text) in data.rarely_last


def is_after_open_word(pause: Span, talk: Talk) -> bool:
    """Return whether the word before the pause needs another one, so that no clause ends there."""
    words = talk.spoken_words
    after = _word_after(pause, words)
    if not 0 < after < len(words) or words[after - 1].start > pause[0]:
        return False
    data = talk.language_data
    before = words[after - 1]
    return plain(before.text) in data.never_last or _is_unlikely_full_stop(pause, before, data)


def _word_after(pause: Span, words: Sequence[Word]) -> int:
    return bisect.bisect_left([word.start for word in words], pause[1] - _SLACK_SECONDS)
