"""An um that is spoken of is a word, and so is a lengthened one that a reading is sure of."""

from __future__ import annotations

import pytest

from analysis.results import Word
from analysis.talk.filler_doubts import is_lengthened_word, is_mention
from analysis.talk.filler_evidence import FEATURES, FillerCandidate
from analysis.talk.languages import is_filled_pause, language_data
from tests.analysis.spoken import words


def _is_mention(text: str, language: str = "en") -> bool:
    data = language_data(language)
    said = words(text)
    [um] = [word for word in said if is_filled_pause(word, data)]
    rest = [word for word in said if word is not um]
    return is_mention((um.start, um.end), rest, said, (), data)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The word um is short.", "en"),
        ("You say um before every number.", "en"),
        ("Count each uh on the page.", "en"),
        ("I heard “um” there.", "en"),
        ("Comptez les euh de cette page.", "fr"),
        ("Il a dit euh puis il est parti.", "fr"),
    ],
)
def test_an_um_that_is_spoken_of_is_a_word(text: str, language: str) -> None:
    assert _is_mention(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We tried the, um, second method.", "en"),
        ("They said, um, that it was low.", "en"),
        ("So um we started again.", "en"),
        ("The | um | is hard.", "en"),
        ("Les, euh, gens sont venus.", "fr"),
    ],
)
def test_an_um_that_is_said_is_none(text: str, language: str) -> None:
    assert not _is_mention(text, language)


def _sound(log_odds: float, *, is_written: bool = False) -> FillerCandidate:
    evidence = tuple(log_odds / 3 if name == "sound" else 0.0 for name in FEATURES)
    return FillerCandidate(1.0, 1.3, "um", is_written, evidence)


@pytest.mark.parametrize(
    ("candidate", "probability", "is_word"),
    [
        (_sound(2.0), 0.9, True),
        (_sound(4.0), 0.9, False),
        (_sound(2.0), 0.5, False),
        (_sound(2.0, is_written=True), 0.9, False),
    ],
)
def test_a_sound_within_a_sure_word_must_be_clear(
    candidate: FillerCandidate, probability: float, *, is_word: bool
) -> None:
    word = Word(text="until", start=0.9, end=1.4, probability=probability)
    assert is_lengthened_word(candidate, [word]) is is_word
