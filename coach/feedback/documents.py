"""The typed document of an item: the content of a card, from a rule or a coach.

A rule's document is a `feedback_rules.model.DraftItem` and holds more; a coach's holds less.
All code that shows or counts items reads this class, never the stored JSON.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class CardExercise(_Part):
    """An exercise of some minutes."""

    title: str = ""
    text: str = ""
    minutes: int = 0


class CardClip(_Part):
    """A moment to play, in seconds of the media; `at` is its displayed time."""

    start: float
    end: float
    at: float | None = None

    @property
    def named(self) -> float:
        """The time on the moment's button."""
        return self.start if self.at is None else self.at


class CardFactors(_Part):
    """Factors in the choice of a card."""

    score: float | None = None
    confidence: float | None = None


class CardDocument(_Part):
    """The data of an evidence card; fields that were not written are empty."""

    label: str = ""
    """The topic in the rule's words, without quotes and numbers."""
    language: str = ""
    """The language of the text; empty for a coach's own card."""
    claim: str = ""
    figure: str = ""
    comparison: str = ""
    why: str = ""
    suggestion: str = ""
    exercise: CardExercise | None = None
    certainty: str = ""
    counterfactual: str = ""
    clips: tuple[CardClip, ...] = ()
    quotes: tuple[dict[str, Any], ...] = ()
    """Quotes from the transcript."""
    scope: str = ""
    is_progress: bool = False
    metric: str = ""
    value: float | None = None
    unit: str | None = None
    grade: str | None = None
    factors: CardFactors = Field(default_factory=CardFactors)

    @property
    def is_about_talk(self) -> bool:
        """Whether the card is about the whole talk, so that it may have no moment to play."""
        return self.scope == "talk"

    @classmethod
    def read(cls, document: dict[str, Any]) -> CardDocument:
        """Return a stored document of any version, parsed; null counts as a missing field."""
        return cls.model_validate(
            {name: each for name, each in document.items() if each is not None}
        )
