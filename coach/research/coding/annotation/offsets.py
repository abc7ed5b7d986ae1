"""Conversion of browser offsets (UTF-16 units) to stored offsets (Unicode code points).

An emoji is one code point and two units, so all later offsets differ.
"""

from __future__ import annotations

import unicodedata

from coach.research.coding.interviews.redaction.deciding import TOKEN

_ZERO_WIDTH_JOINER = "\u200d"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_TAGS = range(0xE0020, 0xE0080)
_LETTERS_OF_FLAGS = range(0x1F1E6, 0x1F200)
_LONGEST_TOKEN = 24


def code_points(text: str, units: int) -> int:
    """Return the offset in code points for one in UTF-16 units; inside a pair, the one before it.

    Offsets outside the text give its start or end.
    """
    behind = 2 * max(units, 0)
    return len(text.encode("utf-16-le")[:behind].decode("utf-16-le", "ignore"))


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without outer white space, widened to whole user-perceived characters.

    A letter with its marks, an emoji of several code points, a flag and a redaction token (which
    keys treat as a word) stay whole. Empty if only white space was selected.
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start >= end:
        return start, start
    while start > 0 and _goes_on(text, start):
        start -= 1
    while end < len(text) and _goes_on(text, end):
        end += 1
    for token in TOKEN.finditer(text, max(start - _LONGEST_TOKEN, 0), end + _LONGEST_TOKEN):
        if token.start() < end and token.end() > start:
            start, end = min(start, token.start()), max(end, token.end())
    return start, end


def _goes_on(text: str, place: int) -> bool:
    """Return whether the code point continues the character before it."""
    point = ord(text[place])
    if unicodedata.category(text[place]).startswith("M") or point in _SKIN_TONES or point in _TAGS:
        return not text[place - 1].isspace()
    if text[place] == _ZERO_WIDTH_JOINER or text[place - 1] == _ZERO_WIDTH_JOINER:
        return True
    return point in _LETTERS_OF_FLAGS and _flag_is_half_done(text, place)


def _flag_is_half_done(text: str, place: int) -> bool:
    """Return whether an odd number of flag letters precedes: two letters make a flag."""
    before = 0
    while before < place and ord(text[place - 1 - before]) in _LETTERS_OF_FLAGS:
        before += 1
    return before % 2 == 1
