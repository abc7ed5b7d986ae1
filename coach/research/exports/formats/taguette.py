"""Codebook for Taguette, where dots in a name make the tree."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from coach.lib.files.csv_tables import no_formula
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.models import Code


def write_taguette(codes: Iterable[Code], path: Path) -> None:
    """Write tags and descriptions; a dot in a name would make a branch, so it becomes a dash.

    Codebooks are opened in spreadsheets too: text that one would run as a formula gets an
    apostrophe.
    """
    by_key = {code.pk: code for code in codes}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("tag", "description"))
        for code, _depth in in_order(by_key.values()):
            writer.writerow((no_formula(_path(code, by_key)), no_formula(_described(code))))


def _path(code: Code, by_key: dict[int, Code]) -> str:
    parts = []
    at: Code | None = code
    while at is not None:
        parts.append(at.name.replace(".", "-"))
        at = by_key.get(at.parent_id or 0)
    return ".".join(reversed(parts))


def _described(code: Code) -> str:
    parts = (code.description, code.include_when, code.exclude_when)
    labels = ("", "Use it when: ", "Do not use it when: ")
    return " ".join(f"{label}{part}" for label, part in zip(labels, parts, strict=True) if part)
