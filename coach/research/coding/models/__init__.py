"""Tables of interviews and coding."""

from __future__ import annotations

from coach.research.coding.models.codebook import Code, CodebookVersion, CodeChange
from coach.research.coding.models.codings import (
    Adjudication,
    Assignment,
    Coder,
    Coding,
    Memo,
    Round,
)
from coach.research.coding.models.interviews import (
    Guide,
    Interview,
    Redaction,
    Speaker,
    Text,
    Transcript,
    Turn,
)

__all__ = [
    "Adjudication",
    "Assignment",
    "Code",
    "CodeChange",
    "CodebookVersion",
    "Coder",
    "Coding",
    "Guide",
    "Interview",
    "Memo",
    "Redaction",
    "Round",
    "Speaker",
    "Text",
    "Transcript",
    "Turn",
]
