"""How well filled pauses are heard, by engine: the published figures of docs/accuracy.md.

A test holds them against that page. There is none for French: no labelled French was at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hearing:
    """Of the ums of recorded speech the share that is found, and of these the share that is one."""

    found: float
    true: float


DEFAULT_READER = "tiny.en"
BY_READER: dict[str, Hearing] = {
    DEFAULT_READER: Hearing(found=0.71, true=0.81),
    "whisper-base": Hearing(found=0.54, true=0.68),
}
TESTED_LANGUAGE = "en"
_ROUNDED = "-int8"
"""The same weights with 8 bits hear no worse (docs/accuracy.md)."""


def hearing_of(language: str, reader: str) -> Hearing | None:
    """What was measured for this language and this recogniser; None where nothing was."""
    known = (reader or DEFAULT_READER).removesuffix(_ROUNDED)
    return BY_READER.get(known) if language == TESTED_LANGUAGE else None


def least_found(language: str, reader: str) -> float:
    """The share that is found at least: where nothing was measured, the lowest that ever was."""
    known = hearing_of(language, reader)
    return known.found if known else min(each.found for each in BY_READER.values())


def reader_of(models: Mapping[str, str]) -> str:
    """The recogniser among the models that a report names; empty where it names none.

    The multilingual model may have listened for the language only, beside an English one.
    """
    english = sorted(name.removesuffix(".pt") for name in models if ".en" in name)
    if english:
        return english[0]
    return next((name for name in sorted(models) if "whisper" in name), "")
