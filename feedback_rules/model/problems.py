"""Problems of a rule's document, as data: a location, a code, and its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import ErrorDetails, PydanticCustomError

from analysis.sentences import ENGLISH, Reader, in_words
from feedback_rules.model.sentences import SENTENCES

Value = float | int | str
Location = tuple[int | str, ...]
"""Location in the document, by keys and indices; empty for the rule as a whole."""


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """One problem. `feedback_rules.model.sentences` has a sentence for each code."""

    code: str
    given: tuple[tuple[str, Value], ...] = ()
    place: Location = ()

    @property
    def values(self) -> Mapping[str, Value]:
        """Return the values of the sentence."""
        return dict(self.given)

    @property
    def sentence(self) -> str:
        """Return the problem as an English sentence."""
        return in_words(SENTENCES[self.code], self.values)

    def said_to(self, reader: Reader) -> str:
        """Return location and sentence, for command-line users."""
        where = ".".join(map(str, self.place))
        sentence = in_words(SENTENCES[self.code], self.values, reader)
        return f"{where}: {sentence}" if where else sentence

    def at(self, *place: int | str) -> RuleProblem:
        """Return the same problem at a location."""
        return replace(self, place=place)

    def __str__(self) -> str:
        return self.said_to(ENGLISH)


def problem(code: str, **values: Value) -> RuleProblem:
    """Return a problem with this code."""
    return RuleProblem(code=code, given=tuple(values.items()))


def refused(code: str, **values: Value) -> PydanticCustomError:
    """Return the error for a validator to raise; pydantic passes code and values on."""
    return PydanticCustomError(code, SENTENCES[code], dict(values))


def problem_of(error: ErrorDetails, place: Location) -> RuleProblem:
    """Convert a pydantic error: its own kinds by their names, ours by their codes."""
    code, context = error["type"], error.get("ctx") or {}
    if code not in SENTENCES:
        return RuleProblem("in_words", (("words", _sentence(error["msg"])),), place)
    given = tuple((name, _plain(value)) for name, value in context.items())
    return RuleProblem(code, given, place)


def _plain(value: Any) -> Value:
    return value if isinstance(value, int | float | str) else str(value)


def _sentence(words: str) -> str:
    """Return pydantic's message as a sentence, if we have none for it."""
    return f"{words[:1].upper()}{words[1:]}."
