"""Template filters for names: `{{ version.author_name

named }}`.
"""

from __future__ import annotations

from django import template

from coach.lib.words.measure_words import language_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.rule_words import LocalisedText, false_positive_text, title_words, why_believed

register = template.Library()


@register.filter
def named(stored: str) -> str:
    """Return a stored name; a placeholder for a former member is translated."""
    return name_words(stored)


@register.filter
def language_name(code: str) -> str:
    """Return the name of a language in the reader's language."""
    return language_words(code)


@register.filter
def titled(title: str) -> str:
    """Return the translated title of a rule."""
    return title_words(title)


@register.filter
def believed(rationale: str) -> LocalisedText:
    """Return the rationale of a rule, with its language."""
    return why_believed(rationale)


@register.filter
def errs(false_positive: str) -> LocalisedText:
    """Return a known false positive of a rule, with its language."""
    return false_positive_text(false_positive)
