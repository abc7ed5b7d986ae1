"""From what a browser counts (UTF-16 units) to what we keep (Unicode code points).

An emoji is one code point and two units, so everything behind it is counted differently.
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
    """The position in code points of a position in UTF-16 units; inside of a pair, before it.

    Behind the end of the text it is the end, before its beginning the beginning.
    """
    behind = 2 * max(units, 0)
    return len(text.encode("utf-16-le")[:behind].decode("utf-16-le", "ignore"))


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without blanks at its ends, wide enough to cut no character that people see.

    A letter with its marks, an emoji of several, and a flag stay whole; so does what stands for a
    name, which keys go through as words. Empty where only blanks were marked.
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
    """Whether the code point at this place belongs to the character that began before it."""
    point = ord(text[place])
    if unicodedata.category(text[place]).startswith("M") or point in _SKIN_TONES or point in _TAGS:
        return not text[place - 1].isspace()
    if text[place] == _ZERO_WIDTH_JOINER or text[place - 1] == _ZERO_WIDTH_JOINER:
        return True
    return point in _LETTERS_OF_FLAGS and _flag_is_half_done(text, place)


def _flag_is_half_done(text: str, place: int) -> bool:
    """Two letters make a flag: whether an odd number of them stands right before this place."""
    before = 0
    while before < place and ord(text[place - 1 - before]) in _LETTERS_OF_FLAGS:
        before += 1
    return before % 2 == 1
