"""Lines of a Rich Text document, by striprtf."""

from __future__ import annotations

from typing import Final

from striprtf.striprtf import rtf_to_text

from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.interviews.reading.lines import (
    Line,
    NotATranscript,
    ParsedFile,
    ReadingProblem,
)

_MARK = b"{\\rtf"
_DELETED = "\\deleted"
_NOT_IN_THE_TEXT: Final = {"\\footnote": "footnotes", "\\annotation": "comments"}


def check_rtf(content: bytes) -> None:
    """Check the first bytes. Raises NotATranscript unless they are those of Rich Text."""
    if not content.startswith(_MARK):
        raise NotATranscript("no_rtf")


def read_rtf(content: bytes) -> ParsedFile:
    """Read a Rich Text document. Raises NotATranscript."""
    check_rtf(content)
    text = content.decode("latin-1")  # Rich Text is ASCII; others are escaped
    if _DELETED in text:  # they would come back as words
        raise NotATranscript("rtf_changes")
    # striprtf looks for links by a pattern that takes hours for hostile files. Under another name
    # the address of a link is left out all the same, and the words that show it stay.
    plain = text.replace("fldinst", "xinst")
    try:
        # striprtf has no types.
        words = tidy(rtf_to_text(plain, encoding="cp1252", errors="replace"))  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, IndexError) as error:
        raise NotATranscript("no_rtf") from error
    lines = [Line(number, each) for number, each in enumerate(words.split("\n"), start=1)]
    odd = [
        ReadingProblem(0, "left_out", code)
        for mark, code in _NOT_IN_THE_TEXT.items()
        if mark in text
    ]
    return ParsedFile(kind="rtf", lines=lines, odd=odd)
