"""Where in a sentence a pause stands."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from analysis.ports import Span, Talk
from analysis.results import Word
from analysis.talk import measures
from analysis.talk.languages import plain
from analysis.talk.sentences import ends_clause, ends_sentence

_SLACK_SECONDS = 0.2


def place_of(pause: Span, talk: Talk) -> str:
    """Where in the sentence the pause stands, by the word before and the word after it."""
    data = measures.data_of(talk)
    words = measures.spoken_words(talk)
    if not words:
        return "unknown"
    after = _word_after(pause, words)
    if after == 0 or after == len(words):
        return "sentence_end" if after == len(words) else "unknown"
    before, following = words[after - 1], words[after]
    if before.start > pause[0]:
        return "unknown"
    if ends_sentence(before, data):
        return "sentence_end"
    return "clause_boundary" if ends_clause(before, following, data) else "mid_clause"


def is_after_open_word(pause: Span, talk: Talk) -> bool:
    """Whether the word before it needs another one: no sentence and no clause ends there."""
    words = measures.spoken_words(talk)
    after = _word_after(pause, words)
    if not 0 < after < len(words) or words[after - 1].start > pause[0]:
        return False
    return plain(words[after - 1].text) in measures.data_of(talk).never_last


def _word_after(pause: Span, words: Sequence[Word]) -> int:
    return bisect.bisect_left([word.start for word in words], pause[1] - _SLACK_SECONDS)
