"""The transcript of a take for coders: where its owner agrees to the use of their words."""

from __future__ import annotations

from collections.abc import Iterable

from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_report_run
from coach.rehearsals.models import Rehearsal
from coach.research.coding.rounds.takes import may_be_read
from coach.research.studies.models import Study

SAID = frozenset({"word", "filler", "filler_word", "unsure", "corrected"})
"""Kinds of words that were said; the others are pauses and gaps in the transcript."""


def lines_of(study: Study, take: Rehearsal) -> tuple[TranscriptLine, ...]:
    """Return the transcript of a take; empty if there is none, or no consent to it."""
    return transcript_of(take) if may_be_read(study, take) else ()


def transcript_of(take: Rehearsal) -> tuple[TranscriptLine, ...]:
    """Return the transcript of a take, whose owner consents to it; empty if there is none."""
    run = latest_report_run(take)
    return transcript(report_of(run)) if run is not None else ()


def words_between(lines: Iterable[TranscriptLine], start_ms: int, end_ms: int) -> str:
    """Return the words of which at least half lies in the span."""
    return " ".join(
        word.text
        for line in lines
        for word in line.words
        if word.kind in SAID and start_ms <= 500 * (word.start + word.end) < end_ms
    )
