"""Titles of rules in the reader's language.

A rule's document is written in English, its cards in both languages. The titles of the rules that
come with Rostrum are put into the catalogues from here; what curators wrote stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import pgettext

from feedback_rules.loader import builtin_rule_set

_CONTEXT = "title of a rule"


def named() -> Iterator[tuple[str | None, str]]:
    """Every title, with its context."""
    yield from ((_CONTEXT, rule.title) for rule in builtin_rule_set().rules)


def title_words(title: str) -> str:
    """The title as it is read; empty stays empty."""
    return pgettext(_CONTEXT, title) if title else ""
