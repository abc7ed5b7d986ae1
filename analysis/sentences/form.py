"""Sentence templates in English; callers supply the translation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence template: `text` states the fact, `hint` the remedy if it is shown separately.

    A placeholder is written {name:kind}: a Python format for numbers, or one of `say.KINDS`.
    """

    text: str
    hint: str = ""
