"""What visitors are told of how well it measures: figures of docs/accuracy.md, held against it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from analysis.hearing import hearing_of
from coach.lib.words.numbers import percent

WORDS_WRONG, WORDS = 0.09, 1847
"""Word errors of read and spontaneous English with 8 bits, fillers left out."""
CAMERA_AGREEMENT, PICTURES = 0.95, 55
UM_OF_PEOPLE = 37
FRENCH_READER, EUH_OF_PEOPLE = "whisper-base", 5
"""So few are labelled that a share of them would say more than is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure and what it says, in words."""

    value: str
    meaning: str


def figures(language: str) -> tuple[Figure, ...]:
    """How well it measures, for talks in this language."""
    # What was measured in another language than the reader's comes last.
    first, last = (_camera(), _words()) if language == "fr" else (_words(), _camera())
    return (first, _fillers(language), last)


def _words() -> Figure:
    return Figure(
        value=percent(WORDS_WRONG),
        meaning=_("of %(count)s English words were written down wrongly.")
        % {"count": number_format(WORDS, use_l10n=True, force_grouping=True)},
    )


def _camera() -> Figure:
    return Figure(
        value=percent(CAMERA_AGREEMENT),
        meaning=_(
            "of %(count)s labelled pictures: we agreed with a person on whether somebody "
            "looks into the camera."
        )
        % {"count": PICTURES},
    )


def _fillers(language: str) -> Figure:
    heard = hearing_of(language, FRENCH_READER if language == "fr" else "")
    if heard is None:
        return Figure(value="–", meaning=_("Nobody has labelled fillers in this language yet."))
    if language == "fr":
        return Figure(
            value=f"{round(heard.found * EUH_OF_PEOPLE)}/{EUH_OF_PEOPLE}",
            meaning=_(
                "“euh” of French speakers found, so in French we only say how many there were at "
                "least. In English most are found."
            ),
        )
    return Figure(
        value=percent(heard.found),
        meaning=_("of %(count)s “um” and “uh” of people it had never heard before were found.")
        % {"count": UM_OF_PEOPLE},
    )
