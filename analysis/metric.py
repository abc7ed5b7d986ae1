"""Metric definition: the row type of the metric catalogue."""

from __future__ import annotations

from dataclasses import dataclass

OURS = "Definition of this project; no published norm."
"""Reference of metrics without a published definition."""


@dataclass(frozen=True, slots=True)
class Metric:
    """Metric that a report may hold; `reference` is a source or the words "Rule of thumb"."""

    id: str
    unit: str
    """One of `UNITS`."""
    label: str
    plain: str
    """One sentence for the reader of a report, without terms of the field."""
    definition: str
    reference: str
    limitations: str = ""
    counts: tuple[str, ...] = ()
    """Kinds of events that it counts."""

    @property
    def family(self) -> str:
        """Part of the id before the dot; `--skip` and profile switches turn off whole families."""
        return self.id.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of the catalogue."""

    ucum: str
    """As the Unified Code for Units of Measure writes it; braces are its annotations."""
    is_signed: bool = False
    """True if values may be negative."""


UNITS: dict[str, Unit] = {
    "share": Unit("1"),
    "per minute": Unit("/min"),
    "s": Unit("s"),
    "count": Unit("1"),
    "ratio": Unit("1"),
    "degrees": Unit("deg", is_signed=True),
    "semitones": Unit("{semitone}", is_signed=True),
    "dB": Unit("dB", is_signed=True),
    "syllables per second": Unit("{syllable}/s"),
    "per 100 words": Unit("/(100.{word})"),
    "words per minute": Unit("{word}/min"),
    "syllables": Unit("{syllable}"),
    "words": Unit("{word}"),
    "shoulder widths": Unit("{shoulder_width}"),
}
