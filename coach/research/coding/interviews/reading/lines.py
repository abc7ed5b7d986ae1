"""Result of every reader: numbered lines, and a list of problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

MOST_MS: Final = 360_000_000
"""A hundred hours: a later time is invalid in a conversation (rule of thumb)."""

ANOTHER_VOICE: Final = ">>"
"""Marks another speaker, named or not, as in captions."""

MOST_LINES: Final = 50_000
"""Ten hours of talk have a tenth of that (rule of thumb)."""


class NotATranscript(Exception):
    """An unreadable file. `code` gives the reason, for `words.refusal_words`."""

    def __init__(self, code: str, what: str = "") -> None:
        super().__init__(code)
        self.code, self.what = code, what


@dataclass(frozen=True, slots=True)
class Line:
    """One line or caption of the file; times in milliseconds if it has any."""

    number: int
    words: str
    start_ms: int | None = None
    end_ms: int | None = None
    speaker: str = ""
    """From the file's format; names before a colon are found later."""


@dataclass(frozen=True, slots=True)
class ReadingProblem:
    """A problem for a person to check: its line, its kind and the words."""

    number: int
    code: str
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedFile:
    """The content of a file."""

    kind: str
    """The file extension: txt, docx, odt, rtf, pdf, vtt, srt or otr."""
    lines: list[Line]
    odd: list[ReadingProblem] = field(default_factory=list)
    encoding: str = ""

    def as_document(self) -> dict[str, Any]:
        """Return the content for a JSON column."""
        return {
            "kind": self.kind,
            "encoding": self.encoding,
            "lines": [[e.number, e.words, e.start_ms, e.end_ms, e.speaker] for e in self.lines],
            "odd": [[e.number, e.code, e.what] for e in self.odd],
        }


def from_document(document: dict[str, Any]) -> ParsedFile:
    """Return the content stored in a JSON column."""
    return ParsedFile(
        kind=document["kind"],
        encoding=document["encoding"],
        lines=[Line(*row) for row in document["lines"]],
        odd=[ReadingProblem(*row) for row in document["odd"]],
    )
