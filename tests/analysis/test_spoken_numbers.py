from __future__ import annotations

import pytest

from analysis.analysers.pace import Pace
from analysis.talk.spoken_numbers import spoken_form
from analysis.talk.syllables import count_words, syllables_of
from tests.analysis.spoken import talk_of, words

ENGLISH = {
    "1998": "nineteen ninety-eight", "1905,": "nineteen oh five", "1900": "nineteen hundred",
    "2005": "two thousand five", "2024.": "twenty twenty-four", "1990s": "nineteen ninety",
    "1,250": "one thousand two hundred fifty", "100000": "one hundred thousand", "0": "zero",
    "$4,350,000": "dollars four million three hundred fifty thousand", "21st": "twenty-one",
    "40.8%": "forty point eight percent", "10:30": "ten thirty", "5": "five",
    "007": "zero zero seven",
    "555-2368": "five five five two three six eight", "COVID-19": "covid nineteen",
    "1950-1985": "nineteen fifty nineteen eighty-five", "1.2.3": "one two three",
    "12345678901": "one two three four five six seven eight nine zero one",
}  # fmt: skip
FRENCH = {
    "1998": "mille neuf cent quatre-vingt-dix-huit", "71": "soixante-et-onze",
    "81": "quatre-vingt-un",
    "21": "vingt-et-un", "95": "quatre-vingt-quinze", "200": "deux cent", "1000": "mille",
    "12,5%": "douze virgule cinq pour cent", "10h30": "dix heures trente", "1er": "un",
    "3e": "trois",
    "1.250": "mille deux cent cinquante", "18\u202f742": "dix-huit mille sept cent quarante-deux",
    "06": "zéro six", "2000000": "deux million",
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        *(("en", written, said) for written, said in ENGLISH.items()),
        *(("fr", written, said) for written, said in FRENCH.items()),
    ],
)
def test_figures_become_the_words_that_are_said(language: str, written: str, said: str) -> None:
    assert spoken_form(written, language) == tuple(said.split())


@pytest.mark.parametrize("text", ["word", "", "…", "%", "well-known"])
def test_a_word_without_figures_stands_for_itself(text: str) -> None:
    assert spoken_form(text, "en") == ()


def test_figures_have_the_syllables_of_what_is_said() -> None:
    assert syllables_of("1,250", "en") == 8
    assert syllables_of("$4,350,000", "en") == 12
    assert syllables_of("1998", "fr") == syllables_of("mille neuf cent quatre-vingt-dix-huit", "fr")


def test_a_talk_has_the_same_pace_whether_its_numbers_are_written_in_figures_or_in_words() -> None:
    figures = words("in 1998 we had 18,742 members and 40% of them came. " * 12, each=0.6)
    spelled = words(
        "in nineteen ninety-eight we had eighteen thousand seven hundred forty-two members and "
        "forty percent of them came. " * 12,
        each=0.6 * 11 / 17,
    )
    assert count_words(figures, "en") == len(spelled)
    one, other = (Pace().measure(talk_of(each)).measurements for each in (figures, spelled))
    for metric in ("pace.words_per_minute", "pace.speech_rate_syllables_per_second"):
        assert one[metric].value == pytest.approx(other[metric].value, rel=0.01)
    assert one["pace.words_per_minute"].n == len(spelled)


def test_a_word_of_very_many_figures_is_read_once() -> None:
    """Else it would take minutes: such a word comes from a transcript that was taken in."""
    long = words("7" * 100_000)
    assert count_words(long, "en") == count_words(long, "fr") == 100_000
