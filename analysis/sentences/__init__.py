"""Conversion of message codes and values to sentences in the reader's language, on output only."""

from __future__ import annotations

from analysis.sentences.form import Sentence
from analysis.sentences.phrases import PHRASES
from analysis.sentences.registry import CODES, SENTENCES
from analysis.sentences.say import ENGLISH, Reader, Values, hint_of, in_words, placeholders, say

__all__ = [
    "CODES",
    "ENGLISH",
    "PHRASES",
    "SENTENCES",
    "Reader",
    "Sentence",
    "Values",
    "hint_of",
    "in_words",
    "placeholders",
    "say",
]
