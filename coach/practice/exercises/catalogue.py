"""Catalogue of built-in exercises: one YAML file each, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import yaml
from django.utils.translation import get_language
from pydantic import BaseModel, ConfigDict, Field, model_validator

from coach.practice.exercises.listening.answers import ANSWERS, Answer

FOLDER = Path(__file__).parent / "texts"
MOST_SECONDS = 300
"""No exercise takes longer than five minutes, so that it can be done between two takes."""

Words = Annotated[str, Field(min_length=1)]


class _CatalogueModel(BaseModel):
    """An immutable, strictly validated document."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ExerciseStep(_CatalogueModel):
    """One step of an exercise, with its length in seconds."""

    seconds: Annotated[int, Field(ge=5, le=120)]
    text: Words


class CatalogueText(_CatalogueModel):
    """The text of an exercise in one language."""

    title: Words
    aim: Words
    """The skill that it trains, in one sentence."""
    example: Words
    steps: Annotated[tuple[ExerciseStep, ...], Field(min_length=2, max_length=6)]


class BothWords(_CatalogueModel):
    """A sentence in both languages."""

    en: Words
    fr: Words


class CatalogueExercise(_CatalogueModel):
    """An exercise of some minutes that trains one quality, for the rules that refer to it."""

    id: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    quality: Words
    minutes: Annotated[int, Field(ge=1, le=5)]
    rules: tuple[str, ...]
    listens: str = ""
    """The answer to a recording (`coach.practice.exercises.listening.answers`); empty if the
    exercise does not listen. The last step is what is recorded."""
    source: BothWords
    en: CatalogueText
    fr: CatalogueText

    @model_validator(mode="after")
    def _keeps_its_time(self) -> CatalogueExercise:
        times = {tuple(step.seconds for step in text.steps) for text in (self.en, self.fr)}
        if len(times) != 1:
            raise ValueError(f"{self.id}: the steps take different times in the two languages")
        if self.seconds > min(MOST_SECONDS, 60 * self.minutes):
            raise ValueError(f"{self.id}: the steps take longer than {self.minutes} minutes")
        if self.listens and self.listens not in ANSWERS:
            raise ValueError(f"{self.id}: there is no answer {self.listens}")
        return self

    @property
    def seconds(self) -> int:
        """Return the length of all steps together, in seconds."""
        return sum(step.seconds for step in self.en.steps)

    @property
    def answer(self) -> Answer | None:
        """Return the answer to a recording; None if the exercise does not listen."""
        return ANSWERS.get(self.listens)

    @property
    def words(self) -> CatalogueText:
        """Return the text in the language of the page."""
        return self.fr if get_language() == "fr" else self.en

    @property
    def source_words(self) -> str:
        """Return the source in the language of the page."""
        return self.source.fr if get_language() == "fr" else self.source.en


@cache
def exercises() -> Mapping[str, CatalogueExercise]:
    """Return all exercises by id. Raises ValidationError for an invalid file."""
    read = (
        CatalogueExercise.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
        for file in sorted(FOLDER.glob("*.yml"))
    )
    return {each.id: each for each in read}


@cache
def _by_rule() -> Mapping[str, CatalogueExercise]:
    return {rule: each for each in exercises().values() for rule in each.rules}


def exercise_for(*, rule: str, quality: str) -> CatalogueExercise | None:
    """Return the exercise for a rule; for a custom rule or a coach's item, the first of its
    quality.

    Exercises without rules are warm-ups before a talk, not for cards.
    """
    named = _by_rule().get(rule)
    if named is not None:
        return named
    answering = (each for each in exercises().values() if each.rules)
    return next((each for each in answering if each.quality == quality), None)
