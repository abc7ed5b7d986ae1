"""Sentences of a transcript as plain text, without ums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.results import Report
from coach.feedback.pages.transcript import TranscriptLine, transcript

_SPOKEN = frozenset({"word", "unsure", "filler_word", "corrected"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenSentence:
    """A sentence as it was said, in seconds of the recording."""

    text: str
    start: float
    end: float
    is_sure: bool = True
    """Whether the recogniser was confident about every word."""


def sentences_in(report: Report) -> tuple[SpokenSentence, ...]:
    """Return the sentences of a report in the order of the talk."""
    return tuple(_sentences(transcript(report)))


def _sentences(lines: tuple[TranscriptLine, ...]) -> Iterator[SpokenSentence]:
    for line in lines:
        words = [word for word in line.words if word.kind in _SPOKEN]
        if words:
            yield SpokenSentence(
                text=" ".join(word.text for word in words),
                start=words[0].start,
                end=words[-1].end,
                is_sure=all(word.kind != "unsure" for word in words),
            )
