"""Benchmark `accuracy_gate`: fail if a published accuracy figure has become worse.

It reads the tables in docs/lab, which the other benchmarks write, and compares them with
`accuracy_gate.toml`. It measures nothing, so it takes no time: run it after `--write`.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.document import DOCUMENTS

FIGURES = Path(__file__).with_name("accuracy_gate.toml")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class GatedFigure:
    """Published figure with its last accepted value."""

    name: str
    page: str
    """The document, from docs/."""
    after: str
    """Beginning of its line."""
    number: int = 0
    """Index of the figure among the numbers of the rest of the line."""
    last: float
    tolerance: float
    """Largest loss that may be chance or rounding (rule of thumb)."""
    is_error: bool = False
    """Whether less is better."""
    command: str
    """Benchmark that writes it."""

    def published(self, documents: Path = DOCUMENTS) -> float:
        """Return the value in the document. Raises ValueError if it is missing."""
        lines = (documents / self.page).read_text(encoding="utf-8").splitlines()
        rest = next((line for line in lines if line.startswith(self.after)), None)
        found = _NUMBER.findall(rest.removeprefix(self.after)) if rest is not None else []
        if len(found) <= self.number:
            raise ValueError(f"{self.page} has no figure “{self.name}”: {self.after}")
        return float(found[self.number])

    def loss(self, now: float) -> float:
        """Return how much worse the figure is than its last accepted value."""
        return now - self.last if self.is_error else self.last - now

    def is_worse(self, now: float) -> bool:
        return self.loss(now) > self.tolerance + _ROUNDING


def figures(place: Path = FIGURES) -> tuple[GatedFigure, ...]:
    """Return the figures of the file."""
    rows = tomllib.loads(place.read_text(encoding="utf-8"))["figure"]
    return tuple(GatedFigure(**row) for row in rows)


def main(arguments: Sequence[str]) -> int:
    """Compare, print, and return 1 if a figure has become worse."""
    parser = argparse.ArgumentParser(prog="python -m bench accuracy_gate", description=__doc__)
    parser.add_argument(
        "--accept", action="store_true", help="take the published figures as the last ones"
    )
    chosen = parser.parse_args(arguments)
    known = figures()
    for line in lines(known):
        print(line)
    if chosen.accept:
        accept(known)
        return 0
    return int(any(one.is_worse(one.published()) for one in known))


def lines(known: Sequence[GatedFigure]) -> Iterator[str]:
    """Yield a row for each figure."""
    for one in known:
        now = one.published()
        verdict = "WORSE" if one.is_worse(now) else "ok"
        yield (
            f"{verdict:5}  {one.name}: {now:g}, last {one.last:g}, tolerance {one.tolerance:g} "
            f"(python -m bench {one.command})"
        )


def accept(known: Sequence[GatedFigure], place: Path = FIGURES) -> None:
    """Write the published values as the last ones; the reason belongs in the commit."""
    text = place.read_text(encoding="utf-8")
    for one in known:
        before, named, rest = text.partition(f'name = "{one.name}"')
        rest = re.sub(r"^last = .*$", f"last = {one.published():g}", rest, count=1, flags=re.M)
        text = before + named + rest
    place.write_text(text, encoding="utf-8")
