"""Template filters for quotation marks and text direction.

As in `{% blocktranslate with title=page.title|within_quotes %}`.
"""

from __future__ import annotations

from django import template

from coach.lib.words import direction, punctuation

register = template.Library()


@register.filter
def within_quotes(words: object) -> str:
    """Return the words for use in quotation marks, with the inner marks of the language."""
    return punctuation.within_quotes(words)


@register.filter
def isolated(words: object) -> str:
    """Return the words isolated for plain text, whatever their direction."""
    return direction.isolated(str(words))
