"""Accuracy of filled-pause detection by language and engine, as published in
docs/lab/fillers.md for speakers outside the training data. A test compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FillerAccuracy:
    """Recall (`found`) and precision (`true`) of filled pauses.

    Talks differ by more than chance: `found_at_least` and `true_at_least` hold in nine of ten.
    """

    found: float
    true: float
    found_at_least: float
    true_at_least: float


DEFAULT_READER = "tiny.en"
_ROUNDED = "-int8"
"""Suffix of 8-bit weights, which detect as well."""
FIGURES: Mapping[tuple[str, str], FillerAccuracy] = {
    ("en", DEFAULT_READER): FillerAccuracy(0.76, 0.94, 0.53, 0.89),
    ("fr", "whisper-base"): FillerAccuracy(0.4, 0.91, 0.01, 0.87),
}
"""Figures by language and reader, for human speech, since synthetic speech is detected better. In
the French recordings people said five *euh*, of which two were found; with so few detections the
precision also includes synthetic voices.
"""


def filler_accuracy(language: str, reader: str) -> FillerAccuracy | None:
    """Return the figures for this language and recogniser, or None if it was not measured."""
    return FIGURES.get((language, (reader or DEFAULT_READER).removesuffix(_ROUNDED)))


_WITHOUT_A_HEAD = FillerAccuracy(0.54, 0.68, 0.54, 0.68)
"""Lowest figures ever measured for readers without a filler head."""


def lowest_accuracy(language: str, reader: str) -> FillerAccuracy:
    """Return the figures, or the lowest ones if nothing was measured."""
    return filler_accuracy(language, reader) or _WITHOUT_A_HEAD


def reader_of(models: Mapping[str, str]) -> str:
    """Return the model of a report that detected fillers; empty if it names none.

    The multilingual model may only have identified the language for an English one, and next to a
    larger English model the smallest detects fillers.
    """
    english = sorted(name.removesuffix(".pt") for name in models if ".en" in name)
    if english:
        return min(english, key=lambda name: not name.startswith(DEFAULT_READER))
    return next((name for name in sorted(models) if "whisper" in name), "")
