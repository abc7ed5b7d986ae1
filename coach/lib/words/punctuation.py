"""Punctuation between joined words, as each language sets it."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from coach.lib.words.direction import isolated

_QUOTED = re.compile('«[\u00a0\u202f ]?(.*?)[\u00a0\u202f ]?»|“(.*?)”|"([^"]*)"')


def pair_words(name: object, value: object) -> str:
    """Return name and value, `Bea: opened the report`; French has a space before the colon."""
    return _("%(name)s: %(value)s") % {"name": name, "value": value}


def within_quotes(words: object) -> str:
    """Return words for use in quotation marks; their own quotation marks become inner ones.

    “My “first” talk” would seem to end after “My ”, « Mon « premier » exposé » after « Mon ».
    """
    inner = pgettext("quotation marks within others", "‘%(words)s’")
    quoted = _QUOTED.sub(
        lambda found: inner % {"words": next(filter(None, found.groups()), "")}, str(words)
    )
    return isolated(quoted)
