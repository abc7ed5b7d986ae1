"""oTranscribe's .otr: JSON that holds HTML with time marks."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.reading.lines import MOST_MS, Line, NotATranscript, Read

_BREAKS = {"p", "br", "div", "li", "h1", "h2", "h3", "blockquote"}


class _Lines(HTMLParser):
    """Words between breaks, with the time mark that stands first among them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[str, int | None]] = []
        self._words: list[str] = []
        self._start: int | None = None
        self._in_mark = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag in _BREAKS:
            self.end_line()
        elif tag == "span" and "timestamp" in (said.get("class") or ""):
            self._in_mark = True
            if self._start is None and not "".join(self._words).strip():
                self._start = _ms(said.get("data-timestamp"))

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKS:
            self.end_line()
        elif tag == "span":
            self._in_mark = False

    def handle_data(self, data: str) -> None:
        # A mark within a turn says nothing that the words need.
        if not self._in_mark:
            self._words.append(data)

    def end_line(self) -> None:
        words = " ".join(tidy("".join(self._words)).split())
        if words:
            self.lines.append((words, self._start))
            self._start = None
        self._words = []


def read_otr(text: str) -> Read:
    """Raises NotATranscript."""
    try:
        said = json.loads(text)
        page = said["text"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotATranscript("no_otr") from error
    if not isinstance(page, str):
        raise NotATranscript("no_otr")
    reader = _Lines()
    reader.feed(page)
    reader.close()
    reader.end_line()
    lines = [Line(n, words, start) for n, (words, start) in enumerate(reader.lines, start=1)]
    return Read(kind="otr", lines=lines)


def _ms(said: str | None) -> int | None:
    try:
        seconds = float(said or "")
    except ValueError:
        return None
    return round(seconds * 1000) if 0 <= seconds * 1000 < MOST_MS else None
