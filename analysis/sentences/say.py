"""Formatting of sentences: the only module that converts values to words."""

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
"""Function of a number and a format that returns the number as the language writes it."""

KINDS: Final = frozenset({*PHRASES, "language", "clock"})
"""Kinds of placeholders for values other than numbers."""


def _as_it_is(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader's translation and number format; English by default."""

    translate: Translate = _as_it_is
    write: Write = format


ENGLISH: Final = Reader()


class _SentenceFormatter(Formatter):
    def __init__(self, reader: Reader) -> None:
        self._translate, self._write = reader.translate, reader.write

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the value in words according to the kind of its placeholder."""
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
    """Return the sentence for a code; empty for an unknown code, as from another version."""
    return in_words(SENTENCES.get(code, Sentence("")).text, values, reader)


def hint_of(code: str, values: Values, reader: Reader = ENGLISH) -> str:
    """Return the hint for a code; empty without one or for an unknown code."""
    return in_words(SENTENCES.get(code, Sentence("")).hint, values, reader)


def in_words(text: str, values: Values, reader: Reader = ENGLISH) -> str:
    """Translate a text and fill in its values; empty if a value is missing or of a wrong type."""
    if not text:
        return ""
    try:
        return _SentenceFormatter(reader).vformat(reader.translate(text), (), dict(values))
    except (KeyError, ValueError):  # a report of another version may lack values
        return ""


def placeholders(sentence: Sentence) -> dict[str, str]:
    """Return the names of the placeholders of a sentence, each with its kind."""
    return {
        name: spec or ""
        for text in (sentence.text, sentence.hint)
        for _literal, name, spec, _conversion in Formatter().parse(text)
        if name is not None
    }
