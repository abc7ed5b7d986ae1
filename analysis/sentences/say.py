"""Says a sentence: the one place where values become words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Any, Final

from analysis.clock import clock
from analysis.language_names import NAMES, OTHER
from analysis.sentences.form import Sentence
from analysis.sentences.phrases import PHRASES
from analysis.sentences.registry import SENTENCES

Values = Mapping[str, float | int | str]
Translate = Callable[[str], str]
Write = Callable[[float, str], str]
"""A number and its format, as a language writes it."""

KINDS: Final = frozenset({*PHRASES, "language", "clock"})
"""Places that hold no number."""


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom sentences are made for: how they read texts and numbers. English without more."""

    translate: Translate = _as_it_is
    write: Write = format


ENGLISH: Final = Reader()


class _Speaker(Formatter):
    def __init__(self, reader: Reader) -> None:
        self._translate, self._write = reader.translate, reader.write

    def format_field(self, value: Any, format_spec: str) -> str:
        """The value in words, by the kind of its place."""
        if format_spec == "clock":
            return clock(float(value))
        if format_spec == "language":
            code = str(value)
            name = NAMES.get(code)
            return self._translate(name) if name else self._translate(OTHER).format(code=code)
        if format_spec in PHRASES:
            return self._translate(PHRASES[format_spec].get(str(value), str(value)))
        return str(value) if isinstance(value, str) else self._write(value, format_spec)


def say(code: str, values: Values, reader: Reader = ENGLISH) -> str:
    """The sentence of a code; empty for one of another version that we do not know."""
    return in_words(SENTENCES.get(code, Sentence("")).text, values, reader)


def hint_of(code: str, values: Values, reader: Reader = ENGLISH) -> str:
    """What to do about it, where that stands apart from the sentence."""
    return in_words(SENTENCES.get(code, Sentence("")).hint, values, reader)


def in_words(text: str, values: Values, reader: Reader = ENGLISH) -> str:
    """A text with its values in their places, translated first."""
    if not text:
        return ""
    try:
        return _Speaker(reader).vformat(reader.translate(text), (), dict(values))
    except (KeyError, ValueError):  # a report of another version may hold other values
        return ""


def placeholders(sentence: Sentence) -> dict[str, str]:
    """The values that a sentence asks for, each with the kind of its place."""
    return {
        name: spec or ""
        for text in (sentence.text, sentence.hint)
        for _literal, name, spec, _conversion in Formatter().parse(text)
        if name is not None
    }
