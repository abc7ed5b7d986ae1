"""Placeholders stored in place of a name, and their translation."""

from __future__ import annotations

from django.utils.translation import gettext, gettext_noop

FORMER_COACH = gettext_noop("A former coach")
FORMER_CURATOR = gettext_noop("A former curator")
ERASED_PERSON = gettext_noop("An erased person")
PROJECT = gettext_noop("Rostrum project")
ALL_THAT_IS_APPROVED = gettext_noop("Everything that is approved")

_STORED = frozenset({FORMER_COACH, FORMER_CURATOR, ERASED_PERSON, PROJECT, ALL_THAT_IS_APPROVED})


def name_words(stored: str) -> str:
    """Return a stored name, translated if it is a placeholder."""
    return gettext(stored) if stored in _STORED else stored
