"""Accuracy figures for visitors, from docs/lab/; a test compares them."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from analysis.filler_accuracy import filler_accuracy
from coach.lib.words.numbers import grouped, percent

WORDS_WRONG, WORDS_WRONG_RANGE, WORDS = 0.09, (0.05, 0.13), 1847
"""Word errors of read and spontaneous English with 8 bits, fillers left out."""
CAMERA_AGREEMENT, CAMERA_RANGE, PICTURES = 0.95, (0.85, 0.98), 55
FRENCH_READER, EUH_OF_PEOPLE = "whisper-base", 5
"""Too few are labelled for a percentage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyFigure:
    """An accuracy figure with its meaning in words."""

    value: str
    meaning: str


def figures(language: str) -> tuple[AccuracyFigure, ...]:
    """Return the accuracy figures for talks in this language, each with its range."""
    # A figure for a language other than the reader's comes last.
    return (_camera(), _words()) if language == "fr" else (_words(), _camera())


def fillers_note(language: str) -> str:
    """Return why ums have no figure: none was measured on recordings free of our tuning."""
    heard = filler_accuracy(language, FRENCH_READER if language == "fr" else "")
    if heard is None:
        return _("We have no labelled recordings of fillers in this language.")
    if language == "fr":
        return _(
            "We give no figure for “euh”. Our labelled French recordings contain only "
            "%(count)s, and we found %(found)s of them, so a French report gives a minimum."
        ) % {"count": EUH_OF_PEOPLE, "found": round(heard.found * EUH_OF_PEOPLE)}
    return _(
        "We give no figure for “um” and “uh”, because all our labelled recordings were also "
        "used to tune the detector."
    )


def _words() -> AccuracyFigure:
    least_wrong, most_wrong = WORDS_WRONG_RANGE
    return AccuracyFigure(
        value=percent(1 - WORDS_WRONG),
        meaning=_(
            "of %(count)s English words were transcribed correctly (range %(low)s to %(high)s): "
            "about %(wrong)s word errors per 100 words (%(least)s–%(most)s). Many were prompts "
            "and readings, not talks."
        )
        % {
            "count": grouped(WORDS),
            "low": percent(1 - most_wrong),
            "high": percent(1 - least_wrong),
            "wrong": round(WORDS_WRONG * 100),
            "least": round(least_wrong * 100),
            "most": round(most_wrong * 100),
        },
    )


def _camera() -> AccuracyFigure:
    low, high = CAMERA_RANGE
    return AccuracyFigure(
        value=percent(CAMERA_AGREEMENT),
        meaning=_(
            "agreement with a person on whether the speaker is looking into the camera "
            "(%(count)s labelled pictures, range %(low)s to %(high)s)."
        )
        % {"count": PICTURES, "low": percent(low), "high": percent(high)},
    )
