"""Text direction: right-to-left names, and control characters that reorder the text next to
them.
"""

from __future__ import annotations

import unicodedata

_TURNS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates (Unicode Standard Annex 9, 2): nobody types them in a name,
and "gnp.exe" after U+202E reads "exe.png"."""
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_ISOLATE, _END = "\u2068", "\u2069"


def without_turns(name: str) -> str:
    """Return a name without direction controls; letters of every language stay."""
    return name.translate(_TURNS)


def isolated(words: str) -> str:
    """Return words for a place in a sentence, isolated if they are written from right to left.

    For plain text, such as emails; in HTML `<bdi>` says the same.
    """
    if any(unicodedata.bidirectional(each) in _RIGHT_TO_LEFT for each in words):
        return f"{_ISOLATE}{words}{_END}"
    return words
