"""Deletion recovery: finds speech that a reading skipped. Recognisers sometimes stop early, usually
at a pause.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.backends.speech.windows import windows
from analysis.ports import Span
from analysis.results import Word
from analysis.talk.untranscribed_speech import UNWRITTEN_SECONDS, untranscribed_spans

_USUAL_WORD_SECONDS = 0.6
"""Assumed length of a word whose end is unreliable (rule of thumb)."""


def find_deletions(
    words: Sequence[Word], speech: Sequence[Span], *, least: float = UNWRITTEN_SECONDS
) -> tuple[Span, ...]:
    """Return windows of untranscribed speech, bounded by the neighbouring words.

    Empty if there are no words at all, since another try would read the same sound again.
    """
    if not words:
        return ()
    found: list[Span] = []
    for passage in untranscribed_spans(words, speech, least=least):
        first, last = passage[0][0], passage[-1][1]
        before = max((word.end for word in words if word.end <= first), default=0.0)
        after = min((word.start for word in words if word.start >= last), default=last)
        cut = windows(passage, duration=after)
        found += [(max(start, before), min(end, after)) for start, end in cut]
    return tuple(found)


def with_plausible_ends(words: Sequence[Word], speech: Sequence[Span]) -> tuple[Word, ...]:
    """Return the words with corrected ends if they last longer than any word can.

    If a reading stops early, alignment gives its last word all the remaining sound. The word is
    shortened to the end of its span of speech, or to a usual length if the speech goes on.
    """
    return tuple(_as_long_as_a_word(word, speech) for word in words)


def _as_long_as_a_word(word: Word, speech: Sequence[Span]) -> Word:
    if word.end - word.start < UNWRITTEN_SECONDS:
        return word
    latest = word.start + _USUAL_WORD_SECONDS
    ends = [end for start, end in speech if start <= word.start < end]
    return word.model_copy(update={"end": round(min([latest, *ends]), 3)})
