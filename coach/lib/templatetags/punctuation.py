"""`{% blocktranslate with title=page.title|within_quotes %}`: a title in quotation marks."""

from __future__ import annotations

from django import template

from coach.lib.words import direction, punctuation

register = template.Library()


@register.filter
def within_quotes(words: object) -> str:
    """The words, with the inner quotation marks of the language for those that they hold."""
    return punctuation.within_quotes(words)


@register.filter
def isolated(words: object) -> str:
    """The words for a place in plain text, whichever way they are written."""
    return direction.isolated(str(words))
