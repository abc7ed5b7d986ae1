"""`{{ bytes|size }}` in templates."""

from __future__ import annotations

from django import template

from coach.lib.words.sizes import size_words

register = template.Library()


@register.filter
def size(count: int) -> str:
    """So many bytes, as the reader's language says it."""
    return size_words(count)
