"""`{{ version.author_name|named }}` in templates."""

from __future__ import annotations

from django import template

from coach.lib.former import name_words
from coach.lib.rule_words import title_words

register = template.Library()


@register.filter
def named(stored: str) -> str:
    """A stored name; in the reader's language where it stands for somebody who is gone."""
    return name_words(stored)


@register.filter
def titled(title: str) -> str:
    """The title of a rule."""
    return title_words(title)
