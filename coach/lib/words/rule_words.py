"""Texts of rule files in the reader's language.

A rule file is written in English, its cards in both languages. Titles, reasons, known errors,
references and case names of the built-in rules are put into the message catalogues from here;
curators' own texts stay as they are, marked as English.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import get_language, pgettext

from feedback_rules.loader import builtin_rule_set
from feedback_rules.model import ReadingLanguage, Rule

_TITLE = "title of a rule"
_WHY = "why a rule is believed"
_ERRS = "where a rule errs"
_CASE = "case of a rule"
_REFERENCE = "reference of a rule"
_WRITTEN_IN = "en"


def named() -> Iterator[tuple[str | None, str]]:
    """Yield every text of the built-in rules, with its context."""
    for rule in builtin_rule_set().rules:
        yield _TITLE, rule.title
        yield _WHY, rule.rationale
        yield from ((_ERRS, each) for each in rule.false_positives)
        yield from ((_REFERENCE, each) for each in rule.references)
        yield from ((_CASE, each.name) for each in rule.cases)


def reading_language() -> ReadingLanguage:
    """Return the reader's language, out of those that rules have."""
    return "fr" if get_language() == "fr" else "en"


def title_words(title: str) -> str:
    """Return a translated title; empty stays empty."""
    return pgettext(_TITLE, title) if title else ""


def case_words(name: str) -> str:
    """Return the translated name of a case; empty stays empty."""
    return pgettext(_CASE, name) if name else ""


@dataclass(frozen=True, slots=True)
class LocalisedText:
    """A text with its language."""

    words: str
    language: str


def why_believed(rationale: str) -> LocalisedText:
    """Return the translated rationale of a rule."""
    return _said(_WHY, rationale)


def false_positive_text(false_positive: str) -> LocalisedText:
    """Return a translated false positive of a rule."""
    return _said(_ERRS, false_positive)


def reference_words(reference: str) -> LocalisedText:
    """Return a translated reference of a rule, with its summary."""
    return _said(_REFERENCE, reference)


def source_of(rule: Rule) -> LocalisedText:
    """Return the source of a rule, as cards in the reader's language name it."""
    reader = reading_language()
    words = rule.source_in(reader)
    return LocalisedText(words, reader if words != rule.source else _WRITTEN_IN)


def _said(context: str, text: str) -> LocalisedText:
    words = pgettext(context, text) if text else ""
    reader = get_language() or _WRITTEN_IN
    return LocalisedText(words, reader if words != text else _WRITTEN_IN)
