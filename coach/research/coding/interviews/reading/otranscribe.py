"""oTranscribe's .otr format: JSON that contains HTML with time marks.

Python's HTML parser may need hours for some megabytes of unclosed tags (CVE-2025-6069), so the few
relevant tags are read here in about one pass.
"""

from __future__ import annotations

import html
import json
import re
from typing import Final

from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.reading.lines import MOST_MS, Line, NotATranscript, ParsedFile

_BREAKS = {"p", "br", "div", "li", "h1", "h2", "h3", "blockquote"}
_TAG: Final = re.compile(
    r"""<(?:(?P<ends>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*+)(?P<about>(?:[^<>"']|"[^"<]*"|'[^'<]*'|["'])*+)"""
    r"""|[!?][^<>]*+)>"""
)
"""A quoted value may contain `>`. The match never extends beyond the next `<`."""
_ATTRIBUTE: Final = re.compile(r"""([\w-]{1,40})=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_MOST_ABOUT = 1000


class _Lines:
    """Words between breaks, with the first time mark among them."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int | None]] = []
        self._words: list[str] = []
        self._has_words = False
        self._start: int | None = None
        self._in_mark = False

    def read(self, page: str) -> None:
        """Read a whole page."""
        page, at = _without_remarks(page), 0
        for tag in _TAG.finditer(page):
            self._append_text(page[at : tag.start()])
            at = tag.end()
            name = (tag["name"] or "").lower()
            if name in _BREAKS:
                self._end_line()
            elif name == "span":
                self._mark(tag)
        self._append_text(page[at:])
        self._end_line()

    def _mark(self, tag: re.Match[str]) -> None:
        said = {} if tag["ends"] else _attributes(tag["about"])
        # A span within a time mark does not end it.
        self._in_mark = not tag["ends"] and (self._in_mark or "timestamp" in said.get("class", ""))
        if "timestamp" in said.get("class", "") and self._start is None and not self._has_words:
            self._start = _ms(said.get("data-timestamp"))

    def _append_text(self, words: str) -> None:
        # The text of a time mark within a turn is dropped.
        if words and not self._in_mark:
            self._words.append(html.unescape(words))
            self._has_words = self._has_words or bool(self._words[-1].strip())

    def _end_line(self) -> None:
        words = " ".join(tidy("".join(self._words)).split())
        if words:
            self.lines.append((words, self._start))
            self._start = None
        self._words, self._has_words = [], False


def _without_remarks(page: str) -> str:
    """Remove comments: text pasted from Word has whole documents between `<!--` and `-->`."""
    first, *others = page.split("<!--")
    return first + "".join(each.partition("-->")[2] for each in others)


def _attributes(about: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(about[:_MOST_ABOUT])
    return {name.lower(): html.unescape("".join(values)) for name, *values in found}


def read_otr(text: str) -> ParsedFile:
    """Read an .otr file. Raises NotATranscript."""
    try:
        said = json.loads(text)
        page = said["text"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotATranscript("no_otr") from error
    if not isinstance(page, str):
        raise NotATranscript("no_otr")
    reader = _Lines()
    reader.read(page)
    lines = [Line(n, words, start) for n, (words, start) in enumerate(reader.lines, start=1)]
    return ParsedFile(kind="otr", lines=lines)


def _ms(said: str | None) -> int | None:
    try:
        seconds = float(said or "")
    except ValueError:
        return None
    return round(seconds * 1000) if 0 <= seconds * 1000 < MOST_MS else None
