"""Signs between words that a language sets in its own way, where words are put together."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

_INNER = re.compile("«[\u00a0\u202f ]?(.*?)[\u00a0\u202f ]?»")


def pair_words(name: object, value: object) -> str:
    """`Bea: opened the report`; in French with a space before the colon."""
    return _("%(name)s: %(value)s") % {"name": name, "value": value}


def within_quotes(words: object) -> str:
    """Words for a place between French quotation marks: those within become English ones."""
    return _INNER.sub(r"“\1”", str(words))
