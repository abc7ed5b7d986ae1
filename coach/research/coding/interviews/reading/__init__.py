"""Reading of uploaded transcripts: files to lines, lines to turns; untrusted, and without loss."""

from __future__ import annotations

from coach.research.coding.interviews.reading.files import (
    ENDINGS,
    MOST_BYTES,
    READ_BY_WORKERS,
    check_file,
    read_file,
)
from coach.research.coding.interviews.reading.lines import Line, NotATranscript, Odd, Read
from coach.research.coding.interviews.reading.turns import Heard, turns_in

__all__ = [
    "ENDINGS",
    "MOST_BYTES",
    "READ_BY_WORKERS",
    "Heard",
    "Line",
    "NotATranscript",
    "Odd",
    "Read",
    "check_file",
    "read_file",
    "turns_in",
]
