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
    label: str
    definition: str
    reference: str
    limitations: str = ""

    @property
    def family(self) -> str:
        """Part of the id before the dot; `--skip` and profile switches turn off whole families."""
        return self.id.split(".", 1)[0]
