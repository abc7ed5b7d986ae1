"""Decoding of text: UTF-8, UTF-16 with or without a mark, else Windows-1252, which is reported."""

from __future__ import annotations

import codecs
import re
import unicodedata

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # Longer marks first: that of UTF-32 begins like that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
GUESSED = ("windows-1252", "latin-1")
"""Any bytes are text in these: whoever takes the file in checks the accents."""
_ZEROS = 0.2
"""Share of zero bytes at even or odd places from which text is UTF-16: letters of Latin scripts
have one each (rule of thumb)."""


_UNHELD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]")
"""Controls, halves of pairs, non-characters, the mark of byte order. Letters that are newer than
this Python stay."""


_MOST_MARKS = 30
"""Of accents on one letter, as in Unicode's stream-safe text (UAX 15): to put a hundred thousand of
them in their order takes minutes."""
_MAY_BE_MARKS = re.compile(rf"[^\w\s!-~]{{{_MOST_MARKS + 1},}}")
_PARTS_MARKS = "\N{COMBINING GRAPHEME JOINER}"


def decode(content: bytes) -> tuple[str, str]:
    """Return the text without a byte order mark, and its encoding. Never raises: see `GUESSED`."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace"), name
    for name in (*_without_a_mark(content), "utf-8", "windows-1252"):
        try:
            return content.decode(name), name
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1"), "latin-1"


def _without_a_mark(content: bytes) -> list[str]:
    half = max(len(content) // 2, 1)
    odd_zeros, even_zeros = content[1::2].count(0) / half, content[::2].count(0) / half
    if max(odd_zeros, even_zeros) < _ZEROS:
        return []
    return ["utf-16-le" if odd_zeros > even_zeros else "utf-16-be"]


def tidy(text: str) -> str:
    """Return NFC text with line feeds, without characters that a database or XML cannot store."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for each in ("\N{LINE SEPARATOR}", "\N{PARAGRAPH SEPARATOR}", "\x0b", "\x0c", "\x85"):
        text = text.replace(each, "\n")
    return unicodedata.normalize("NFC", _MAY_BE_MARKS.sub(_parted, _UNHELD.sub("", text)))


def _parted(found: re.Match[str]) -> str:
    """Insert a joiner after every so many combining marks, which limits their reordering."""
    letters, in_a_row = [], 0
    for letter in found.group():
        in_a_row = in_a_row + 1 if unicodedata.combining(letter) else 0
        if in_a_row > _MOST_MARKS:
            letters.append(_PARTS_MARKS)
            in_a_row = 1
        letters.append(letter)
    return "".join(letters)
