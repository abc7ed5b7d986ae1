"""How well filled pauses are heard, by language and engine: the published figures of
docs/lab/fillers.md, of speakers that the detector did not learn from. A test holds them against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hearing:
    """Of the ums that were said the share that is found, and of these the share that is one.

    Talks differ by more than chance: `found_at_least` and `true_at_least` hold in nine of ten.
    """

    found: float
    true: float
    found_at_least: float
    true_at_least: float


DEFAULT_READER = "tiny.en"
_ROUNDED = "-int8"
"""The same weights with 8 bits hear as well."""
FIGURES: Mapping[tuple[str, str], Hearing] = {
    ("en", DEFAULT_READER): Hearing(0.81, 0.94, 0.56, 0.89),
    ("fr", "whisper-base"): Hearing(0.4, 0.91, 0.01, 0.87),
}
"""By language and reader: of what people said, since made speech is heard better. In French they
said five *euh*, of which two were found; so few are marked that how many of these are true is that
of synthetic voices, too."""


def hearing_of(language: str, reader: str) -> Hearing | None:
    """What was measured for this language and recogniser; None where nothing was."""
    return FIGURES.get((language, (reader or DEFAULT_READER).removesuffix(_ROUNDED)))


_WITHOUT_A_HEAD = Hearing(0.54, 0.68, 0.54, 0.68)
"""The lowest that was ever measured of readers whose encoder no head listens to."""


def least_heard(language: str, reader: str) -> Hearing:
    """What holds at least, also where nothing was measured."""
    return hearing_of(language, reader) or _WITHOUT_A_HEAD


def reader_of(models: Mapping[str, str]) -> str:
    """Who listened for fillers among the models that a report names; empty where it names none.

    The multilingual model may have listened for the language only, beside an English one; and
    beside a larger English one the smallest listens for fillers.
    """
    english = sorted(name.removesuffix(".pt") for name in models if ".en" in name)
    if english:
        return min(english, key=lambda name: not name.startswith(DEFAULT_READER))
    return next((name for name in sorted(models) if "whisper" in name), "")
