"""Spoken numbers: figures as they are said, for example "1998" as "nineteen ninety-eight"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_TOKEN = re.compile(r"\d+(?:[.,\u202f\u00a0 ]\d+)*|[%$£€]|[^\W\d_]+(?:'[^\W\d_]+)*")
_GROUPED = {"en": re.compile(r"\d{1,3}(?:,\d{3})+"), "fr": re.compile(r"\d{1,3}(?:[.\s]\d{3})+")}
_POINT = {"en": ".", "fr": ","}
_POINT_SAID = {"en": "point", "fr": "virgule"}
_SIGNS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {"%": ("percent",), "$": ("dollars",), "£": ("pounds",), "€": ("euros",)},
    "fr": {"%": ("pour", "cent"), "$": ("dollars",), "£": ("livres",), "€": ("euros",)},
}
_ORDINAL_ENDS = {
    "en": frozenset({"st", "nd", "rd", "th", "s"}),
    "fr": frozenset({"er", "re", "e", "ème", "eme", "ième", "nd", "nde"}),
}
_OTHER_LETTERS: dict[str, dict[str, tuple[str, ...]]] = {"fr": {"h": ("heures",)}}
_PAIRED_YEARS = (range(1100, 2000), range(2010, 2100))
"""Years said as two numbers in English, the century first."""
_LONGEST_NUMBER = 9
_CODE = re.compile(r"(?<!\d)\d{3,}+(?:-\d{3,})+")
"""Code of digit groups. The quantifiers are possessive; otherwise a long row of digits would be
searched from each digit to its end.
"""

_UNITS = {
    "en": (
        *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
        *("eighteen", "nineteen"),
    ),
    "fr": (
        *("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
        *("onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit"),
        "dix-neuf",
    ),
}
_TENS = {
    "en": (*("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty"), "ninety"),
    "fr": (
        *("", "", "vingt", "trente", "quarante", "cinquante", "soixante", "soixante"),
        *("quatre-vingt", "quatre-vingt"),
    ),
}
_TWENTIES = (7, 9)
"""Tens that French counts from the previous ten: "soixante-dix", "quatre-vingt-dix"."""
_NO_ET_FROM = 8
"""Tens below which French joins one and eleven by "et": "vingt-et-un", "soixante-et-onze"."""
_LARGE = (
    (1_000_000, {"en": "million", "fr": "million"}),
    (1_000, {"en": "thousand", "fr": "mille"}),
    (100, {"en": "hundred", "fr": "cent"}),
)


@lru_cache(maxsize=20_000)
def spoken_form(text: str, language: str) -> tuple[str, ...]:
    """Return the spoken words of a word with figures; empty for a word without figures.

    Numbers up to a hundred are one word, as they are written ("ninety-eight"). A number without a
    comma that may be a year is read as one; the English "and" between hundreds and tens is left
    out.
    """
    if not any(character.isdecimal() for character in text):
        return ()
    known = "fr" if language == "fr" else "en"
    if (code := _CODE.search(text)) and not all(map(_is_year, code.group().split("-"))):
        return tuple(_by_digits(code.group(), known))
    return tuple(word for token in _TOKEN.findall(text.lower()) for word in _said(token, known))


def _said(token: str, language: str) -> Iterator[str]:
    if token[0].isdecimal():
        yield from _number(token, language)
    elif token in _SIGNS[language]:
        yield from _SIGNS[language][token]
    elif token not in _ORDINAL_ENDS[language]:
        yield from _OTHER_LETTERS.get(language, {}).get(token, (token,))


def _number(written: str, language: str) -> Iterator[str]:
    """Yield the words of a whole or decimal number; anything else is read part by part."""
    point = _POINT[language]
    whole, _, decimals = written.partition(point)
    if _GROUPED[language].fullmatch(whole):
        whole = re.sub(r"\D", "", whole)
    if not whole.isdecimal() or (decimals and not decimals.isdecimal()):
        for piece in re.split(r"\D+", written):
            yield from _whole(piece, language)
        return
    yield from _whole(whole, language, may_be_year=whole == written)
    if decimals:
        yield _POINT_SAID[language]
        yield from _by_digits(decimals, language)


def _whole(digits: str, language: str, *, may_be_year: bool = False) -> Iterator[str]:
    if len(digits) > _LONGEST_NUMBER or (len(digits) > 1 and digits.startswith("0")):
        yield from _by_digits(digits, language)
    elif may_be_year and language == "en" and _is_year(digits):
        yield from _year(int(digits))
    else:
        yield from _cardinal(int(digits), language)


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and any(int(digits) in years for years in _PAIRED_YEARS)


def _year(number: int) -> Iterator[str]:
    century, rest = divmod(number, 100)
    yield _under_hundred(century, "en")
    if rest == 0:
        yield "hundred"
    elif rest < 10:
        yield from ("oh", _UNITS["en"][rest])
    else:
        yield _under_hundred(rest, "en")


def _cardinal(number: int, language: str) -> Iterator[str]:
    rest = number
    for size, names in _LARGE:
        count, rest = divmod(rest, size)
        if count:
            is_silent_one = language == "fr" and count == 1 and size < 1_000_000
            if not is_silent_one:
                yield from _cardinal(count, language)
            yield names[language]
    if rest or number == 0:
        yield _under_hundred(rest, language)


def _under_hundred(number: int, language: str) -> str:
    units, tens = _UNITS[language], _TENS[language]
    if number < len(units):
        return units[number]
    ten, unit = divmod(number, 10)
    if language == "fr" and ten in _TWENTIES:
        unit += 10
    joined = "-et-" if language == "fr" and ten < _NO_ET_FROM and unit in (1, 11) else "-"
    return f"{tens[ten]}{joined}{units[unit]}" if unit else tens[ten]


def _by_digits(digits: str, language: str) -> Iterator[str]:
    return (_UNITS[language][int(digit)] for digit in digits if digit.isdecimal())
