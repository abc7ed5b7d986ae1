"""Punctuation check: whether a transcript marks its sentence ends at all."""

from __future__ import annotations

from analysis.results import Reason, Skipped
from analysis.talk.sentences import ends_sentence
from analysis.talk.talk import Talk

_LEAST_WORDS = 50
_LONGEST_MEAN_SENTENCE = 100
"""Words per sentence end above which the recogniser has omitted punctuation (rule of thumb)."""


def no_punctuation(talk: Talk) -> Skipped | None:
    """Return why measures based on sentence starts cannot be computed, or None."""
    words = talk.spoken_words
    data = talk.language_data
    ends = sum(ends_sentence(word, data) for word in words)
    if len(words) < _LEAST_WORDS or ends * _LONGEST_MEAN_SENTENCE >= len(words):
        return None
    return Skipped.because(Reason.LOW_COVERAGE, "no_full_stops")
