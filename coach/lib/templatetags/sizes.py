"""Template filter for file sizes: `{{ bytes

size }}`.
"""

from __future__ import annotations

from django import template

from coach.lib.words.sizes import size_words

register = template.Library()


@register.filter
def size(count: int) -> str:
    """Return a size in bytes as words in the reader's language."""
    return size_words(count)
