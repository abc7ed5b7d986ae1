"""Numbers in words for readers: about, ranges, no false precision; English and French."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from analysis.clock import clock
from analysis.results import is_boundless
from feedback_rules.model import ReadingLanguage

NBSP = "\u00a0"
MINUS = "\u2212"

_FRACTIONS: tuple[tuple[float, str], ...] = (
    (0.1, "a tenth"),
    (0.2, "a fifth"),
    (0.25, "a quarter"),
    (0.33, "a third"),
)
_FRACTIONS_FROM, _FRACTIONS_TO = 0.075, 0.375
"""Range in which English uses fractions. Beyond it, and always in French, percent are used: nobody
says "about half faster" or "two thirds" for nine tenths.
"""
SPELT_BELOW = 3
"""Rate below which two whole numbers are named, never a decimal."""
_HARDLY: dict[ReadingLanguage, str] = {"en": "almost none", "fr": "une infime partie"}
_NEARLY: dict[ReadingLanguage, str] = {"en": "nearly all", "fr": "la quasi-totalité"}
_NEARLY_FROM = 0.975
"""Share from which rounding to five percent gives all of it."""
_NEARLY_ALL_FROM, _HARDLY_ANY_TO = 90, 10
"""Limits in percent: an interval that extends further is not nearly all, or almost none (rule of
thumb).
"""
_SMALL = {
    "en": ("less than one", "between one and two", "between two and three"),
    "fr": ("moins d’un", "entre un et deux", "entre deux et trois"),
}
_BEFORE_TIMES = (("moins d’un fois", "moins d’une fois"), ("un et deux fois", "une et deux fois"))
PLURALS: dict[ReadingLanguage, tuple[str, ...]] = {
    "en": (
        *("degrees", "formulas", "phrases", "places", "restarts", "seconds", "semitones"),
        "words",
    ),
    "fr": (
        *("degrés", "demi-tons", "endroits", "formules", "mots", "phrases", "reprises"),
        "secondes",
    ),
}
"""Counted nouns, as they follow a number; without the last letter each is singular."""
_OF_ONE: dict[ReadingLanguage, re.Pattern[str]] = {
    "en": re.compile(rf"((?<![\d.–])1 (?:{'|'.join(PLURALS['en'])}))\b"),
    # French uses the singular below two: 0 seconde, 1,5 demi-ton.
    "fr": re.compile(rf"((?<![\d,–])[01](?:,\d+)? (?:{'|'.join(PLURALS['fr'])}))\b"),
}


_HALF_A_PERCENT = 0.005

_MANY_SECONDS = re.compile(
    r"“[^“”]*”|«[^«»]*»|(?<![\d.,:–])(?P<many>\d{3,}) (?:seconds|secondes)\b"
)
"""Long seconds; also matches quotes, in which words are not changed."""
_IN_MINUTES_FROM = 300
"""Seconds from which minutes are used."""


def _in_minutes(found: re.Match[str]) -> str:
    seconds = int(found["many"] or 0)
    return f"{round(seconds / 60)} minutes" if seconds >= _IN_MINUTES_FROM else found[0]


def time_word(unit: str, *values: float) -> str:
    """Return the unit's word for seconds, needed after each number if one is stated in minutes;
    otherwise an empty string.
    """
    word = unit.split(" ", 1)[0]
    is_long = max(map(abs, values)) >= _IN_MINUTES_FROM
    return f" {word}" if word in {"seconds", "secondes"} and is_long else ""


def corrected_sentence(sentence: str, language: ReadingLanguage) -> str:
    """Correct joined words: minutes, the singular, elision, and a number's gender."""
    sentence = _MANY_SECONDS.sub(_in_minutes, sentence)
    sentence = _OF_ONE[language].sub(lambda found: found[1][:-1], sentence)
    if language == "en":
        return sentence
    sentence = sentence.replace("de environ", "d’environ")
    for masculine, feminine in _BEFORE_TIMES:
        sentence = sentence.replace(masculine, feminine)
    return sentence


def about(language: ReadingLanguage, words: str) -> str:
    """Return the words with "about", since they are not exact."""
    return f"{'about' if language == 'en' else 'environ'} {words}"


def _rate(value: float, language: ReadingLanguage) -> str:
    if value < SPELT_BELOW:
        return _SMALL[language][max(0, math.floor(value))]
    return about(language, f"{value:.0f}")


def _percent(value: float, language: ReadingLanguage, *, step: int = 5) -> str:
    percent = value * 100
    gap = "" if language == "en" else NBSP
    if percent < step / 2:
        return f"{'under' if language == 'en' else 'moins de'} {step}{gap}%"
    return about(language, f"{round(percent / step) * step}{gap}%")


def _share(value: float, language: ReadingLanguage) -> str:
    """Return a share in words; nobody says "about 100%".

    Never plainly "all" or "none": the value was measured, and the interval says how far off it may
    be.
    """
    if value == 0:
        return _HARDLY[language]
    if value >= _NEARLY_FROM:
        return _NEARLY[language]
    return _percent(value, language)


def careful_share(
    value: float,
    interval: tuple[float, float] | None,
    value_format: str,
    language: ReadingLanguage,
) -> str:
    """Return 'at least 75%' instead of nearly all if the interval extends that far; otherwise an
    empty string.
    """
    ends = _ends(interval, value_format) if value_format == "percent" else None
    if ends is None:
        return ""
    gap = "" if language == "en" else NBSP
    if value >= _NEARLY_FROM and ends[0] < _NEARLY_ALL_FROM:
        return f"{'at least' if language == 'en' else 'au moins'} {ends[0]}{gap}%"
    if value == 0 and ends[1] > _HARDLY_ANY_TO:
        return f"{'at most' if language == 'en' else 'au plus'} {ends[1]}{gap}%"
    return ""


def _fine_percent(value: float, language: ReadingLanguage) -> str:
    return _percent(value, language, step=1)


def _faster(value: float, language: ReadingLanguage) -> str:
    more = abs(value - 1)
    if language == "fr" or not _FRACTIONS_FROM <= more < _FRACTIONS_TO:
        return _percent(more, language)
    _, words = min(_FRACTIONS, key=lambda row: abs(row[0] - more))
    return about(language, words)


def _whole(value: float, language: ReadingLanguage) -> str:
    return about(language, f"{abs(value):.0f}")


def _clock(value: float, language: ReadingLanguage) -> str:
    return clock(value)


_FORMATS: dict[str, Callable[[float, ReadingLanguage], str]] = {
    "rate": _rate,
    "percent": _share,
    "fine_percent": _fine_percent,
    "faster": _faster,
    "whole": _whole,
    "clock": _clock,
    "times_limit": _clock,
}


def in_words(value: float, value_format: str, language: ReadingLanguage) -> str:
    """Return the value as stated on a card."""
    return _FORMATS[value_format](value, language)


def before_a_unit(value: float, value_format: str, language: ReadingLanguage) -> str:
    """Return the value before a plural unit; empty if no words would agree with it.

    Nobody says "less than one questions", and in French even the gender can be wrong.
    """
    if not is_spelt(value, value_format):
        return in_words(value, value_format, language)
    low = math.floor(value)
    return f"{low} {'to' if language == 'en' else 'à'} {low + 1}" if low >= 1 else ""


def is_spelt(value: float, value_format: str) -> bool:
    """Return whether the value is stated as between two numbers."""
    return value_format == "rate" and value < SPELT_BELOW


_NEUTRAL = {"faster": 1.0, "whole": 0.0}
"""Neutral values of formats that state a distance, but not its direction."""


def neutral_of(value_format: str) -> float:
    """Return the neutral value: as fast as the rest, or none at all."""
    return _NEUTRAL.get(value_format, 0.0)


def is_same_side(one: float, other: float, value_format: str) -> bool:
    """Return whether the format's words apply to both values: both faster, both quieter."""
    neutral = _NEUTRAL.get(value_format)
    return neutral is None or (one > neutral) == (other > neutral)


def edge_in_words(edge: float, value_format: str, language: ReadingLanguage) -> str:
    """Return the threshold in words, which is exact."""
    if value_format in {"percent", "fine_percent"}:
        if math.isclose(edge, _HALF_A_PERCENT):
            return "half a percent" if language == "en" else "un demi-pour cent"
        # Six digits: 0.07 * 100 has a fraction.
        percent = f"{edge * 100:.6g}".replace(".", "." if language == "en" else ",")
        return f"{percent}{'' if language == 'en' else NBSP}%"
    if value_format in {"faster", "times_limit"}:
        return f"{abs(edge - 1) * 100:.0f}{'' if language == 'en' else NBSP}%"
    # Like the value next to it: the words of this format give the direction.
    number = f"{abs(edge) if value_format == 'whole' else edge:g}".replace("-", MINUS)
    return number if language == "en" else number.replace(".", ",")


def range_in_words(
    interval: tuple[float, float] | None, value_format: str, language: ReadingLanguage
) -> str:
    """Return ' (range 6–10)'; empty without an interval or if it adds nothing.

    For a rate without a meaningful upper end, only the lower end is stated.
    """
    ends = _ends(interval, value_format)
    if ends is None or interval is None or ends[0] == ends[1]:
        return ""
    low, high = ends
    if value_format == "rate" and is_boundless(interval, "per minute"):
        return f" (at least {low})" if language == "en" else f" (au moins {low})"
    if value_format in {"percent", "fine_percent"}:
        if language == "en":
            return f" (range {low}–{high}%)"
        return f" (entre {low} et {high}{NBSP}%)"
    return f" (range {low}–{high})" if language == "en" else f" (entre {low} et {high})"


def _ends(interval: tuple[float, float] | None, value_format: str) -> tuple[int, int] | None:
    if interval is None or value_format in {"faster", "clock", "times_limit"}:
        return None
    scale = 100 if value_format in {"percent", "fine_percent"} else 1
    step = 5 if value_format == "percent" else 1
    low, high = (round(end * scale / step, 6) for end in interval)
    if value_format == "whole" and low < 0:
        return None
    nearest = max(0, round(low)) * step, round(high) * step
    if value_format != "percent" or nearest[0] == nearest[1]:
        return nearest
    # Steps of five are coarse: rounding to the nearest could exclude the measured value.
    return max(0, math.floor(low)) * step, math.ceil(high) * step


def times_in_words(starts: tuple[float, ...]) -> str:
    """Return the times as '1:05, 2:20, 4:31'."""
    return ", ".join(dict.fromkeys(clock(start) for start in starts))
