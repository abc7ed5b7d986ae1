"""Certainty in three levels, the same for a card and its explanation."""

from __future__ import annotations

from feedback_rules.model import ReadingLanguage

_SURE_FROM, _FAIRLY_SURE_FROM = 0.75, 0.45
"""Lowest confidence of each level. Rules of thumb."""
LESS_SURE, FAIRLY_SURE, SURE = range(3)


def level_of(confidence: float) -> int:
    """Return the level: less sure, fairly sure or sure."""
    if confidence >= _SURE_FROM:
        return SURE
    return FAIRLY_SURE if confidence >= _FAIRLY_SURE_FROM else LESS_SURE


CERTAINTY_WORDS: dict[ReadingLanguage, tuple[str, str, str]] = {
    "en": ("Less sure", "Fairly sure", "Sure"),
    "fr": ("Moins fiable", "Plutôt fiable", "Fiable"),
}
"""Words of a card by level."""


def level_said(certainty: str, language: ReadingLanguage) -> int | None:
    """Return the level that a card's sentence begins with, or None."""
    words = CERTAINTY_WORDS[language]
    return next((level for level, said in enumerate(words) if certainty.startswith(said)), None)
