"""Sentences of a transcript that share words with a key message.

The comparison only ranks sentences. The speaker decides whether one of them says the message.
Shared words need no model, so that the web process can count them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from analysis.results import Report
from analysis.similarity import stems
from coach.feedback.pages.transcript import TranscriptLine, transcript

MOST_NEAR = 3
"""The number of sentences shown at once (rule of thumb)."""
_LEAST_SHARE = 0.5
"""The share of a message's content words in a sentence from which it counts as found (rule of
thumb)."""
_LEAST_SHARED = 2
"""The least number of these words, unless the message has only one (rule of thumb)."""
_SPOKEN = {"word", "unsure", "corrected", "filler_word"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenSentence:
    """A sentence of the transcript, or two that follow each other."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSentences:
    """Sentences near a message, most shared words first; the first `found` share enough of them."""

    nearest: tuple[SpokenSentence, ...]
    found: int


def spoken_sentences(report: Report) -> tuple[SpokenSentence, ...]:
    """Return the sentences of a report's transcript in time order."""
    lines = (_sentence(line) for line in transcript(report))
    return tuple(line for line in lines if line is not None)


def sentences_near(
    message: str, sentences: Sequence[SpokenSentence], language: str
) -> NearSentences:
    """Return the sentences that share content words with a message, best first."""
    wanted = frozenset(stems(message, language))
    least = min(max(ceil(_LEAST_SHARE * len(wanted)), _LEAST_SHARED), len(wanted))
    ranked = _ranked(wanted, sentences, language)
    found = sum(shared >= least for shared, _each in ranked)
    if not found:
        # The recogniser may have cut the message in two.
        pairs = _ranked(wanted, [_joined(*two) for two in pairwise(sentences)], language)
        if pairs and pairs[0][0] >= least:
            ranked, found = pairs[:1], 1
    nearest = tuple(each for _shared, each in ranked[: max(MOST_NEAR, found)])
    return NearSentences(nearest=nearest, found=found)


def _ranked(
    wanted: frozenset[str], sentences: Sequence[SpokenSentence], language: str
) -> list[tuple[int, SpokenSentence]]:
    counted = [(len(wanted.intersection(stems(each.text, language))), each) for each in sentences]
    near = [pair for pair in counted if pair[0]]
    return sorted(near, key=lambda pair: (-pair[0], pair[1].start))


def _sentence(line: TranscriptLine) -> SpokenSentence | None:
    words = [word for word in line.words if word.kind in _SPOKEN]
    if not words:
        return None
    text = " ".join(word.text for word in words)
    return SpokenSentence(text=text, start=words[0].start, end=words[-1].end)


def _joined(one: SpokenSentence, other: SpokenSentence) -> SpokenSentence:
    return SpokenSentence(text=f"{one.text} {other.text}", start=one.start, end=other.end)
