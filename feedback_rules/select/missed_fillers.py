"""Missed fillers in words, from the published figures for this engine and language."""

from __future__ import annotations

from analysis.filler_accuracy import filler_accuracy, reader_of
from analysis.results import Report
from feedback_rules.model import ReadingLanguage

_TENTHS: dict[ReadingLanguage, tuple[str, ...]] = {
    "en": ("under one", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    "fr": ("moins d’un", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
}
_KNOWN: dict[ReadingLanguage, dict[str, str]] = {
    "en": {
        "en": "in English tests we missed about {tenths} in ten",
        "fr": "in a few French recordings we missed about {tenths} in ten",
    },
    "fr": {
        "en": "dans nos tests en anglais, environ {tenths} sur dix nous échappaient",
        "fr": "dans quelques enregistrements en français, environ {tenths} sur dix nous "
        "échappaient",
    },
}
_UNKNOWN: dict[ReadingLanguage, str] = {
    "en": "our misses here are not measured yet",
    "fr": "nos erreurs de détection ne sont pas encore mesurées ici",
}


def is_measured(report: Report) -> bool:
    """Return whether the misses of this engine in this language have been measured."""
    return filler_accuracy(report.language.code, reader_of(report.models)) is not None


def missed_in_words(report: Report, language: ReadingLanguage) -> str:
    """Return a clause with the share of misses, or one that says that it was not measured."""
    spoken = report.language.code
    known = filler_accuracy(spoken, reader_of(report.models))
    said = _KNOWN[language].get(spoken)
    if known is None or said is None:
        return _UNKNOWN[language]
    tenths = min(round((1 - known.found) * 10), len(_TENTHS[language]) - 1)
    return said.format(tenths=_TENTHS[language][tenths])
