"""What one row of the catalogue of measures says."""

from __future__ import annotations

from dataclasses import dataclass

OURS = "Definition of this project; no published norm."
"""Reference of a measure that nobody else defines so."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One number we can report. `reference` is a source, or says that it is a rule of thumb."""

    id: str
    unit: str
    label: str
    definition: str
    reference: str
    limitations: str = ""

    @property
    def family(self) -> str:
        """The part before the dot, by which `--skip` and profile switches turn metrics off."""
        return self.id.split(".", 1)[0]
