"""What rules' documents say of themselves, in the reader's language.

A rule's document is written in English, its cards in both languages. Titles, reasons, known errors,
references and names of cases of the rules that come with Rostrum are put into the catalogues from
here; what curators wrote stays as it is, and says that it is English.
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
    """Every text of the rules that come along, with its context."""
    for rule in builtin_rule_set().rules:
        yield _TITLE, rule.title
        yield _WHY, rule.rationale
        yield from ((_ERRS, each) for each in rule.false_positives)
        yield from ((_REFERENCE, each) for each in rule.references)
        yield from ((_CASE, each.name) for each in rule.cases)


def reading_language() -> ReadingLanguage:
    """The reader's language, of those in which rules speak."""
    return "fr" if get_language() == "fr" else "en"


def title_words(title: str) -> str:
    """The title as it is read; empty stays empty."""
    return pgettext(_TITLE, title) if title else ""


def case_words(name: str) -> str:
    """What happens in a case, as it is read; empty stays empty."""
    return pgettext(_CASE, name) if name else ""


@dataclass(frozen=True, slots=True)
class Said:
    """A text, and the language that it is in."""

    words: str
    language: str


def why_believed(rationale: str) -> Said:
    """Why a rule is believed, as it is read."""
    return _said(_WHY, rationale)


def where_it_errs(false_positive: str) -> Said:
    """One way in which a rule is known to err, as it is read."""
    return _said(_ERRS, false_positive)


def reference_words(reference: str) -> Said:
    """One reference of a rule, and what it says in a few words, as it is read."""
    return _said(_REFERENCE, reference)


def source_of(rule: Rule) -> Said:
    """Its source, as cards in the reader's language name it."""
    reader = reading_language()
    words = rule.source_in(reader)
    return Said(words, reader if words != rule.source else _WRITTEN_IN)


def _said(context: str, text: str) -> Said:
    words = pgettext(context, text) if text else ""
    reader = get_language() or _WRITTEN_IN
    return Said(words, reader if words != text else _WRITTEN_IN)
