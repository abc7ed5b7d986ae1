"""`{{ version.author_name|named }}` in templates."""

from __future__ import annotations

from django import template

from coach.lib.words.measure_words import language_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.rule_words import Said, title_words, where_it_errs, why_believed

register = template.Library()


@register.filter
def named(stored: str) -> str:
    """A stored name; in the reader's language where it stands for somebody who is gone."""
    return name_words(stored)


@register.filter
def language_name(code: str) -> str:
    """A language, as the reader calls it."""
    return language_words(code)


@register.filter
def titled(title: str) -> str:
    """The title of a rule."""
    return title_words(title)


@register.filter
def believed(rationale: str) -> Said:
    """Why a rule is believed, with its language."""
    return why_believed(rationale)


@register.filter
def errs(false_positive: str) -> Said:
    """A known error of a rule, with its language."""
    return where_it_errs(false_positive)
