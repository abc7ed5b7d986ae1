"""What can be wrong with a rule's document, as data: a place, a code, and its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import ErrorDetails, PydanticCustomError

from analysis.sentences import ENGLISH, Reader, in_words
from feedback_rules.model.sentences import SENTENCES

Value = float | int | str
Place = tuple[int | str, ...]
"""Where in the document, by keys and positions; empty: the rule as a whole."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `feedback_rules.model.sentences` has a sentence for each code."""

    code: str
    given: tuple[tuple[str, Value], ...] = ()
    place: Place = ()

    @property
    def values(self) -> Mapping[str, Value]:
        """What the sentence is said with."""
        return dict(self.given)

    @property
    def sentence(self) -> str:
        """What is wrong, in English."""
        return in_words(SENTENCES[self.code], self.values)

    def said_to(self, reader: Reader) -> str:
        """Place and sentence, for whoever runs a command."""
        where = ".".join(map(str, self.place))
        sentence = in_words(SENTENCES[self.code], self.values, reader)
        return f"{where}: {sentence}" if where else sentence

    def at(self, *place: int | str) -> Problem:
        """The same problem at a place."""
        return replace(self, place=place)

    def __str__(self) -> str:
        return self.said_to(ENGLISH)


def problem(code: str, **values: Value) -> Problem:
    """A problem of that code."""
    return Problem(code=code, given=tuple(values.items()))


def refused(code: str, **values: Value) -> PydanticCustomError:
    """What a validator raises: pydantic carries code and values to whoever asks."""
    return PydanticCustomError(code, SENTENCES[code], dict(values))


def problem_of(error: ErrorDetails, place: Place) -> Problem:
    """One error of pydantic as a problem: its own kinds by their names, ours by their codes."""
    code, context = error["type"], error.get("ctx") or {}
    if code not in SENTENCES:
        return Problem("in_words", (("words", _sentence(error["msg"])),), place)
    given = tuple((name, _plain(value)) for name, value in context.items())
    return Problem(code, given, place)


def _plain(value: Any) -> Value:
    return value if isinstance(value, int | float | str) else str(value)


def _sentence(words: str) -> str:
    """A message of pydantic that we have no sentence for."""
    return f"{words[:1].upper()}{words[1:]}."
