"""Speech that a reading passed over: recognisers stop early at times, most often at a pause."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.backends.speech.windows import windows
from analysis.ports import Span
from analysis.results import Word
from analysis.talk.untranscribed_speech import UNWRITTEN_SECONDS, unwritten

_USUAL_WORD_SECONDS = 0.6
"""How long a word may have lasted whose end says nothing (rule of thumb)."""


def passed_over(
    words: Sequence[Word], speech: Sequence[Span], *, least: float = UNWRITTEN_SECONDS
) -> tuple[Span, ...]:
    """Windows of the speech of which no word was written, up to the words beside it at most.

    None where nothing was written at all: another try would read the same sound again.
    """
    if not words:
        return ()
    found: list[Span] = []
    for passage in unwritten(words, speech, least=least):
        first, last = passage[0][0], passage[-1][1]
        before = max((word.end for word in words if word.end <= first), default=0.0)
        after = min((word.start for word in words if word.start >= last), default=last)
        cut = windows(passage, duration=after)
        found += [(max(start, before), min(end, after)) for start, end in cut]
    return tuple(found)


def not_stretched(words: Sequence[Word], speech: Sequence[Span]) -> tuple[Word, ...]:
    """With the ends of words put right that last longer than any word can.

    Where a reading stops early, alignment gives its last word all the sound that is left. It
    ends with the stretch of speech in which it begins, and soon where that goes on.
    """
    return tuple(_as_long_as_a_word(word, speech) for word in words)


def _as_long_as_a_word(word: Word, speech: Sequence[Span]) -> Word:
    if word.end - word.start < UNWRITTEN_SECONDS:
        return word
    latest = word.start + _USUAL_WORD_SECONDS
    ends = [end for start, end in speech if start <= word.start < end]
    return word.model_copy(update={"end": round(min([latest, *ends]), 3)})
