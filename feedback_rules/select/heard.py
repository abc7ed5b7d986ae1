"""How many ums go unheard, in words: by the published figures of this engine and language."""

from __future__ import annotations

from analysis.hearing import TESTED_LANGUAGE, hearing_of, reader_of
from analysis.results import Report
from feedback_rules.model import ReadingLanguage

_TENTHS: dict[ReadingLanguage, tuple[str, ...]] = {
    "en": ("under one", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    "fr": ("moins d’un", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
}
_KNOWN: dict[ReadingLanguage, str] = {
    "en": "in English tests we missed about {tenths} in ten",
    "fr": "dans nos tests en anglais, {tenths} sur dix environ nous échappaient",
}
_NO_LANGUAGE: dict[ReadingLanguage, dict[str, str]] = {
    "en": {"fr": "our misses in French are not measured yet"},
    "fr": {"fr": "nos erreurs de détection ne sont pas encore mesurées en français"},
}
_UNKNOWN: dict[ReadingLanguage, str] = {
    "en": "our misses here are not measured yet",
    "fr": "nos erreurs de détection ne sont pas encore mesurées ici",
}


def is_measured(report: Report) -> bool:
    """Whether anybody has counted what this engine misses in this language."""
    return hearing_of(report.language.code, reader_of(report.models)) is not None


def missed_in_words(report: Report, language: ReadingLanguage) -> str:
    """A clause; says so where nobody has measured it."""
    spoken = report.language.code
    known = hearing_of(spoken, reader_of(report.models))
    if known is not None:
        tenths = min(round((1 - known.found) * 10), len(_TENTHS[language]) - 1)
        return _KNOWN[language].format(tenths=_TENTHS[language][tenths])
    if spoken != TESTED_LANGUAGE and spoken in _NO_LANGUAGE[language]:
        return _NO_LANGUAGE[language][spoken]
    return _UNKNOWN[language]
