"""The spaces and apostrophes of French, put in by code so that nobody has to type them.

A narrow no-break space before ; ! ? and a no-break space before : and %, and inside guillemets
(Imprimerie nationale, Lexique des règles typographiques).
"""

from __future__ import annotations

import re

NBSP, NARROW = "\u00a0", "\u202f"
_ANY = f"[ {NBSP}{NARROW}]"
# A mark that follows a space. `%(name)s`, `%s` and `{% %}` are places for something, no per cent.
_HIGH = re.compile(rf"(?<=\S){_ANY}(?=[;!?](?:\W|$))")
_WIDE = re.compile(rf"(?<=\S){_ANY}(?=(?:[:»]|%%?(?![\w(}}])))")
_OPENING = re.compile(rf"«{_ANY}?(?=\S)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_BARE = re.compile(rf"[^\W\d_](?:[!?;:](?=\s|$)|»)|\d%(?![\w(])|«(?!{NBSP})")


def tidy(text: str) -> str:
    """The same sentence with the spaces and apostrophes that French asks for."""
    text = _HIGH.sub(NARROW, text)
    text = _WIDE.sub(NBSP, text)
    text = _OPENING.sub(f"«{NBSP}", text)
    return _APOSTROPHE.sub("’", text)


def bare_marks(text: str) -> list[str]:
    """Marks that stand without their space; entities and addresses are no sentences."""
    words = re.sub(r"&#?\w+;|https?:\S+|<[^>]*>|{[^{}]*}", " ", text)
    return [match[0] for match in _BARE.finditer(words)]
