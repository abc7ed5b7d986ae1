"""The document of an item, typed: what a card says, whether a rule or a coach wrote it.

A rule's document is a `feedback_rules.model.DraftItem` and holds more; a coach's holds less.
Everything that shows or counts items reads this, and never the stored JSON.
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
    """A moment to play, in seconds of the media; `at` is what people call it by."""

    start: float
    end: float
    at: float | None = None

    @property
    def named(self) -> float:
        """The time that stands on its button."""
        return self.start if self.at is None else self.at


class CardFactors(_Part):
    """Factors in the choice of a card."""

    score: float | None = None
    confidence: float | None = None


class CardDocument(_Part):
    """One evidence card as data; what is empty was not written."""

    label: str = ""
    """What it is about, in the rule's words: holds no quote and no number."""
    language: str = ""
    """In which it is written; a coach's own says none."""
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
    """What it quotes from the transcript."""
    scope: str = ""
    is_progress: bool = False
    metric: str = ""
    value: float | None = None
    unit: str | None = None
    grade: str | None = None
    factors: CardFactors = Field(default_factory=CardFactors)

    @property
    def is_about_talk(self) -> bool:
        """Measured over the whole talk: there need be no moment to play."""
        return self.scope == "talk"

    @classmethod
    def read(cls, document: dict[str, Any]) -> CardDocument:
        """Parse a stored document of any version; null stands for a missing field."""
        return cls.model_validate(
            {name: each for name, each in document.items() if each is not None}
        )
