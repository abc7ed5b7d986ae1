"""What stands above the cards of a version, as plain values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WordingChange:
    """One thing that reads differently now; empty where there was, or is, nothing."""

    label: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FromCoach:
    """What stands above the cards once a coach has answered."""

    word: str
    by: str
    corrected: str
    """That it was corrected, by whom and when, in words; empty where it was not."""
    changes: tuple[WordingChange, ...]
    retracted: str
    """That a coach took what was released away again, and why; empty where none did."""
