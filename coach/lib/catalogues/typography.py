"""French spaces and apostrophes, inserted by code so that translators need not type them.

A narrow no-break space before ; ! ? and a no-break space before : and %, and inside guillemets
(Imprimerie nationale, Lexique des règles typographiques).
"""

from __future__ import annotations

import re

NBSP, NARROW = "\u00a0", "\u202f"
_ANY = f"[ {NBSP}{NARROW}]"
# A mark after a space. `%(name)s`, `%s` and `{% %}` are placeholders, not per cent signs.
_HIGH = re.compile(rf"(?<=\S){_ANY}(?=[;!?](?:\W|$))")
_WIDE = re.compile(rf"(?<=\S){_ANY}(?=(?:[:»]|%%?(?![\w(}}])))")
_OPENING = re.compile(rf"«{_ANY}?(?=\S)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_BARE = re.compile(rf"[^\W\d_](?:[!?;:](?=\s|$)|»)|\d%(?![\w(])|«(?!{NBSP})")


def tidy(text: str) -> str:
    """Return the sentence with French spaces and apostrophes."""
    text = _HIGH.sub(NARROW, text)
    text = _WIDE.sub(NBSP, text)
    text = _OPENING.sub(f"«{NBSP}", text)
    return _APOSTROPHE.sub("’", text)


def bare_marks(text: str) -> list[str]:
    """Return the marks that lack their space; HTML entities and URLs are ignored."""
    words = re.sub(r"&#?\w+;|https?:\S+|<[^>]*>|{[^{}]*}", " ", text)
    return [match[0] for match in _BARE.finditer(words)]
