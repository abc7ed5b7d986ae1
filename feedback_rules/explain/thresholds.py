"""Written thresholds: numbers in a sentence that are thresholds of its rule, which curators can
change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from feedback_rules.model import ReadingLanguage, Rule, limits_in
from feedback_rules.select.numbers import edge_in_words

_NUMBER = re.compile(r"(?<![\w:])\d+(?:[.,]\d+)?(?![\d:])")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SPELT: dict[ReadingLanguage, tuple[str, ...]] = {
    "en": (
        *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
        *("twelve", "thirteen", "fourteen", "fifteen"),
    ),
    "fr": (
        *("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze"),
        *("douze", "treize", "quatorze", "quinze"),
    ),
}
"""Number words from two; one is mostly an article."""
_MINUTES = re.compile(r"\bminutes?\b")
_IN_FIVE_MINUTES = re.compile(r"\b(?:in|en) (?:five|cinq) minutes\b")
_MINUTE, _FIVE = 60, 5


def written_thresholds(
    rule: Rule, text: str, language: ReadingLanguage
) -> Iterator[tuple[str, str]]:
    """Yield each number of the text that is a threshold of the rule, with its placeholder."""
    written = re.sub(r"\{\w*\}", " ", text.casefold())
    said = _numbers(_IN_FIVE_MINUTES.sub(" ", written), language)
    for placeholder, values in _thresholds(rule, text).items():
        for number, value in said:
            if any(math.isclose(value, each, abs_tol=1e-9) for each in values):
                yield number, placeholder
    edge = rule.severity.edge
    is_share = rule.value_format in {"percent", "fine_percent"}
    if is_share and any(math.isclose(share, edge) for share in limits_in(written)):
        yield edge_in_words(edge, rule.value_format, language), "{edge}"


def _numbers(text: str, language: ReadingLanguage) -> list[tuple[str, float]]:
    digits = [(found[0], float(found[0].replace(",", "."))) for found in _NUMBER.finditer(text)]
    spelt = {word: value for value, word in enumerate(_SPELT[language], 2)}
    words = [(word, float(spelt[word])) for word in _WORD.findall(text) if word in spelt]
    return [*digits, *words]


def _thresholds(rule: Rule, text: str) -> dict[str, set[float]]:
    """Return the thresholds as sentences state them: shares and ratios in percent, seconds in
    minutes.
    """
    edge, minutes = rule.severity.edge, _MINUTES.search(text.casefold())
    if rule.value_format in {"percent", "fine_percent"}:
        edges = {edge * 100}
    elif rule.value_format in {"faster", "times_limit"}:
        edges = {abs(edge - 1) * 100, edge * 100}
    else:
        edges = {abs(edge), abs(edge) / _MINUTE} if minutes else {abs(edge)}
    found = {"{edge}": edges}
    if _IN_FIVE_MINUTES.search(text.casefold()):
        found["{edge_in_five}"] = {edge * _FIVE}
    count, seconds = rule.least_moments
    # One is not a threshold; it only means that there is something.
    found["{least_count}"] = {count} if count > 1 else set()
    found["{least_seconds}"] = {seconds} if seconds > 1 else set()
    return found
