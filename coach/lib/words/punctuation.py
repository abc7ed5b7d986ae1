"""Signs between words that a language sets in its own way, where words are put together."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from coach.lib.words.direction import isolated

_QUOTED = re.compile('«[\u00a0\u202f ]?(.*?)[\u00a0\u202f ]?»|“(.*?)”|"([^"]*)"')


def pair_words(name: object, value: object) -> str:
    """`Bea: opened the report`; in French with a space before the colon."""
    return _("%(name)s: %(value)s") % {"name": name, "value": value}


def within_quotes(words: object) -> str:
    """Words for a place between quotation marks: those that they hold become the inner ones.

    “My “first” talk” would seem to end after “My ”, « Mon « premier » exposé » after « Mon ».
    """
    inner = pgettext("quotation marks within others", "‘%(words)s’")
    quoted = _QUOTED.sub(
        lambda found: inner % {"words": next(filter(None, found.groups()), "")}, str(words)
    )
    return isolated(quoted)
