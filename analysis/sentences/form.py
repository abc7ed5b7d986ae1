"""A sentence with places for values, in English; whoever has another language translates it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` says what is so and what would help; `hint` stands apart for what went wrong.

    A place is written {name:kind}: a format of Python for numbers, or one of `say.KINDS`.
    """

    text: str
    hint: str = ""
