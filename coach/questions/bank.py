"""The question bank and the impromptu topics: one YAML file each, in both languages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from coach.questions.models import QuestionKind
from coach.rehearsals.models import Aim, Audience

_FOLDER = Path(__file__).parent
Words = Annotated[str, Field(min_length=1)]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,40}$")]


class _BankModel(BaseModel):
    """An immutable, strictly validated document."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BankQuestion(_BankModel):
    """A question of the bank, with the talks that it fits."""

    id: Identifier
    kind: QuestionKind
    aims: Annotated[tuple[Aim, ...], Field(min_length=1)]
    audiences: tuple[Audience, ...] = ()
    """Who would ask it; empty for anybody."""
    en: Words
    fr: Words

    def text(self, language: str) -> str:
        """Return the question in this language."""
        return self.fr if language == "fr" else self.en

    def fits(self, *, aim: str, audience: str) -> bool:
        """Return whether the question suits a talk with this aim before this audience."""
        return aim in self.aims and (not self.audiences or audience in self.audiences)


class Topic(_BankModel):
    """An impromptu topic."""

    id: Identifier
    en: Annotated[str, Field(min_length=1, max_length=120)]
    fr: Annotated[str, Field(min_length=1, max_length=120)]

    def text(self, language: str) -> str:
        """Return the topic in this language."""
        return self.fr if language == "fr" else self.en


class _Bank(_BankModel):
    version: Literal[1]
    questions: tuple[BankQuestion, ...]


class _Topics(_BankModel):
    version: Literal[1]
    topics: tuple[Topic, ...]


@cache
def bank() -> tuple[BankQuestion, ...]:
    """Return the questions of the bank. Raises ValidationError for an invalid file."""
    return _Bank.model_validate(_read("bank.yml")).questions


@cache
def topics() -> tuple[Topic, ...]:
    """Return the impromptu topics. Raises ValidationError for an invalid file."""
    return _Topics.model_validate(_read("topics.yml")).topics


def _read(name: str) -> object:
    return yaml.safe_load((_FOLDER / name).read_text(encoding="utf-8"))
