"""Numbers as people say them: about, ranges, no false precision; English and French."""

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
"""Fractions as English says them; beyond, and in French throughout, percent: "about half faster"
and "two thirds" of nine tenths are nobody's words."""
SPELT_BELOW = 3
"""Rates below this are said as between two numbers, never as a decimal."""
_HARDLY: dict[ReadingLanguage, str] = {"en": "almost none", "fr": "une infime partie"}
_NEARLY: dict[ReadingLanguage, str] = {"en": "nearly all", "fr": "la quasi-totalité"}
_NEARLY_FROM = 0.975
"""From here on five percent are rounded to all of it."""
_NEARLY_ALL_FROM, _HARDLY_ANY_TO = 90, 10
"""In percent: a range that reaches further is not nearly all, or almost none (rule of thumb)."""
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
"""What rules count, as their words have it after a number; each without its last letter is one."""
_OF_ONE: dict[ReadingLanguage, re.Pattern[str]] = {
    "en": re.compile(rf"((?<![\d.–])1 (?:{'|'.join(PLURALS['en'])}))\b"),
    # French has its singular up to two: 0 seconde, 1,5 demi-ton.
    "fr": re.compile(rf"((?<![\d,–])[01](?:,\d+)? (?:{'|'.join(PLURALS['fr'])}))\b"),
}


_HALF_A_PERCENT = 0.005

_MANY_SECONDS = re.compile(
    r"“[^“”]*”|«[^«»]*»|(?<![\d.,:–])(?P<many>\d{3,}) (?:seconds|secondes)\b"
)
"""Also what is quoted, in which somebody's words stay as they are."""
_IN_MINUTES_FROM = 300
"""Seconds that nobody reckons with as such."""


def _in_minutes(found: re.Match[str]) -> str:
    seconds = int(found["many"] or 0)
    return f"{round(seconds / 60)} minutes" if seconds >= _IN_MINUTES_FROM else found[0]


def time_word(unit: str, *values: float) -> str:
    """The unit's own word for seconds, to stand after each number where one is told in minutes."""
    word = unit.split(" ", 1)[0]
    is_long = max(map(abs, values)) >= _IN_MINUTES_FROM
    return f" {word}" if word in {"seconds", "secondes"} and is_long else ""


def mended(sentence: str, language: ReadingLanguage) -> str:
    """What putting words together leaves to mend: minutes, the singular, elision, and a number's
    gender."""
    sentence = _MANY_SECONDS.sub(_in_minutes, sentence)
    sentence = _OF_ONE[language].sub(lambda found: found[1][:-1], sentence)
    if language == "en":
        return sentence
    sentence = sentence.replace("de environ", "d’environ")
    for masculine, feminine in _BEFORE_TIMES:
        sentence = sentence.replace(masculine, feminine)
    return sentence


def about(language: ReadingLanguage, words: str) -> str:
    """With the word that says that it is not exact."""
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
    """A part of something: nobody says "about 100%".

    Never plainly "all" or "none": it was measured, and the range says how far it may be off.
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
    """'at least 75%' instead of nearly all of something, where its range reaches down to there;
    empty where the words for the value are true of the whole range."""
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
    """The value as a card says it."""
    return _FORMATS[value_format](value, language)


def before_a_unit(value: float, value_format: str, language: ReadingLanguage) -> str:
    """The same where a unit in the plural follows; empty where no words would agree with it.

    "Less than one questions" is nobody's sentence, in French not even with the right gender.
    """
    if not is_spelt(value, value_format):
        return in_words(value, value_format, language)
    low = math.floor(value)
    return f"{low} {'to' if language == 'en' else 'à'} {low + 1}" if low >= 1 else ""


def is_spelt(value: float, value_format: str) -> bool:
    """Whether the value is said as between two numbers."""
    return value_format == "rate" and value < SPELT_BELOW


_NEUTRAL = {"faster": 1.0, "whole": 0.0}
"""Formats that say how far something is from a middle, and not on which side of it."""


def neutral_of(value_format: str) -> float:
    """The value that stands for nothing: as fast as the rest, or none at all."""
    return _NEUTRAL.get(value_format, 0.0)


def is_same_side(one: float, other: float, value_format: str) -> bool:
    """Whether the words of the format tell of both values alike: both faster, both quieter."""
    neutral = _NEUTRAL.get(value_format)
    return neutral is None or (one > neutral) == (other > neutral)


def edge_in_words(edge: float, value_format: str, language: ReadingLanguage) -> str:
    """The edge of a band, which is exact."""
    if value_format in {"percent", "fine_percent"}:
        if math.isclose(edge, _HALF_A_PERCENT):
            return "half a percent" if language == "en" else "un demi-pour cent"
        # Six digits: 0.07 * 100 has a fraction of its own.
        percent = f"{edge * 100:.6g}".replace(".", "." if language == "en" else ",")
        return f"{percent}{'' if language == 'en' else NBSP}%"
    if value_format in {"faster", "times_limit"}:
        return f"{abs(edge - 1) * 100:.0f}{'' if language == 'en' else NBSP}%"
    # Like the value beside it: the words of this format say on which side it is.
    number = f"{abs(edge) if value_format == 'whole' else edge:g}".replace("-", MINUS)
    return number if language == "en" else number.replace(".", ",")


def range_in_words(
    interval: tuple[float, float] | None, value_format: str, language: ReadingLanguage
) -> str:
    """' (range 6–10)', or nothing where there is no interval or it says nothing more.

    Of a rate without an upper end the lower one.
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
    # Steps of five are coarse: rounding to the nearest could leave out what was measured.
    return max(0, math.floor(low)) * step, math.ceil(high) * step


def times_in_words(starts: tuple[float, ...]) -> str:
    """'1:05, 2:20, 4:31'."""
    return ", ".join(dict.fromkeys(clock(start) for start in starts))
