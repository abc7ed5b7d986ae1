"""Offsets of imported codings: tools count code points, UTF-16 units, bytes or line ends
differently.

The counting of a file is detected: all offsets must be within the text, and quoted words must
match. Code points win if nothing decides.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.exports.importing.refi.project import ImportedCoding

_LEAST_QUOTE = 4
_COMPARED = 40
_READ = 400
"""Characters to compare with a quote, which may have fewer blanks."""
_FARTHEST = 1000
_BY_ITSELF = re.compile(r"[ -~]|[^\W\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\U00016d40-\U00016d7f]")
"""Characters that never combine with the previous one: no marks, no parts of a syllable."""


def _code_points(_letter: str, _before: str) -> int:
    return 1


def _utf_16(letter: str, _before: str) -> int:
    return 2 if ord(letter) > 0xFFFF else 1


def _bytes(letter: str, _before: str) -> int:
    return len(letter.encode("utf-8", "replace"))


def _line_ends_as_one(letter: str, before: str) -> int:
    return 0 if letter == "\n" and before == "\r" else 1


def _line_ends_as_two(letter: str, before: str) -> int:
    return 2 if letter == "\n" and before != "\r" else 1


_WAYS: Final[dict[str, Callable[[str, str], int]]] = {
    "code points": _code_points,
    "UTF-16": _utf_16,
    "CRLF = 1": _line_ends_as_one,
    "LF = 2": _line_ends_as_two,
    "UTF-8": _bytes,
}


class OffsetCounting:
    """One way to count a text, mapping its offsets to code points of the decoded text."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._ends: list[int] | None = None
        way = _WAYS[name]
        before, at, ends = "", 0, [0]
        for letter in text:
            at += way(letter, before)
            ends.append(at)
            before = letter
        self.most = at
        if ends != list(range(len(ends))):
            self._ends = ends

    @property
    def is_plain(self) -> bool:
        """Return whether it equals counting code points."""
        return self._ends is None

    def code_point(self, position: int) -> int:
        """Return the code point that begins at or after an offset, within the text."""
        position = min(max(position, 0), self.most)
        return position if self._ends is None else bisect_left(self._ends, position)


def counted_as(text: str, codings: Sequence[ImportedCoding]) -> OffsetCounting:
    """Return how the offsets of these codings are counted."""
    best = OffsetCounting("code points", text)
    if not codings:
        return best
    score = _score(best, text, codings)
    for name in list(_WAYS)[1:]:
        other = OffsetCounting(name, text)
        if other.is_plain:
            continue
        its = _score(other, text, codings)
        if its > score:
            best, score = other, its
    return best


def _score(way: OffsetCounting, text: str, codings: Sequence[ImportedCoding]) -> tuple[int, int]:
    """Return how many codings are within the text, and how many match their quote."""
    inside = sum(each.end is not None and each.end <= way.most for each in codings)
    return inside, sum(_matches_quote(way, text, each) for each in codings)


def _matches_quote(way: OffsetCounting, text: str, coding: ImportedCoding) -> bool:
    quote = " ".join(coding.quote.rstrip("….").split())[:_COMPARED]
    if len(quote) < _LEAST_QUOTE or coding.start is None or coding.end is None:
        return False
    start = way.code_point(coding.start)
    there = text[start : min(way.code_point(coding.end), start + _READ)]
    return " ".join(there.split()).startswith(quote)


class NormalisedText:
    """A normalised text (NFC, line feeds), with a mapping from offsets in the original."""

    def __init__(self, raw: str, positions: Iterable[int]) -> None:
        self.text = tidy(raw)
        cuts = sorted({min(max(at, 0), len(raw)) for at in positions})
        self._now = {at: at for at in cuts}
        if self.text == raw:
            return
        pieces = [tidy(raw[a:b]) for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
        if "".join(pieces) == self.text:
            at = 0
            for cut, piece in zip(cuts, pieces, strict=False):
                at += len(piece)
                self._now[cut] = at
        else:  # a cut lies inside of what becomes one letter
            self._now = _inside(raw, cuts)

    def place(self, position: int) -> int:
        """Map an offset, which must be one of those given to the constructor."""
        return min(self._now[position], len(self.text))


def _inside(raw: str, cuts: Sequence[int]) -> dict[int, int]:
    """Return the normalised length of the text before each offset, in one pass.

    Text before a letter that cannot combine is normalised independently. Raises ValueError if there
    is no such letter within a thousand, which natural text never has.
    """
    now: dict[int, int] = {}
    read = length = 0
    for cut in cuts:
        begin = cut - 1
        while begin > read and not _BY_ITSELF.match(raw, begin):
            begin -= 1
            if cut - begin > _FARTHEST:
                raise ValueError(cut)
        if begin > read:
            length += len(tidy(raw[read:begin]))
            read = begin
        now[cut] = length + len(tidy(raw[read:cut]))
    return now
