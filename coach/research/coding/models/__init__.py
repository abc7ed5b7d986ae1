"""Models of interviews and coding."""

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
    UNSAID,
    Guide,
    Interview,
    Redaction,
    Speaker,
    Text,
    Transcript,
    Turn,
)
from coach.research.coding.models.recordings import Listening, Passage, Recording, Voice
from coach.research.coding.models.themes import Theme, ThemeChange, ThemeMemo

__all__ = [
    "UNSAID",
    "Adjudication",
    "Assignment",
    "Code",
    "CodeChange",
    "CodebookVersion",
    "Coder",
    "Coding",
    "Guide",
    "Interview",
    "Listening",
    "Memo",
    "Passage",
    "Recording",
    "Redaction",
    "Round",
    "Speaker",
    "Text",
    "Theme",
    "ThemeChange",
    "ThemeMemo",
    "Transcript",
    "Turn",
    "Voice",
]
