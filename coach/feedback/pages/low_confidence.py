"""Words of the transcript that we are not sure of, told to who does not see how they are set."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import ngettext

from coach.feedback.pages.values import Sentence
from coach.lib.words.numbers import grouped

_SPOKEN = {"word", "unsure", "filler", "filler_word", "corrected"}
_AROUND = ' .,;:!?…«»“”"()\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}'
_MOST = 0.5
"""Of a line with more of them all are not told again one by one (rule of thumb)."""


def doubt_words(sentences: Sequence[Sentence]) -> str:
    """How many of all words these are; nothing where we are sure of each."""
    kinds = [word.kind for line in sentences for word in line.words]
    unsure, spoken = kinds.count("unsure"), sum(kind in _SPOKEN for kind in kinds)
    if not unsure:
        return ""
    return ngettext(
        "We are not sure that we heard %(unsure)s of %(words)s words correctly.",
        "We are not sure that we heard %(unsure)s of %(words)s words correctly.",
        unsure,
    ) % {"unsure": grouped(unsure), "words": grouped(spoken)}


def unsure_of(line: Sentence) -> str:
    """Which words of a line these are, without what stands around them."""
    return ", ".join(word.text.strip(_AROUND) for word in line.words if word.kind == "unsure")


def is_mostly_unsure(line: Sentence) -> bool:
    """Whether they are more than half of what was said there."""
    kinds = [word.kind for word in line.words if word.kind in _SPOKEN]
    return kinds.count("unsure") > max(_MOST * len(kinds), 2)
