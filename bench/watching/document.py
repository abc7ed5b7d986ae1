"""Puts what a benchmark printed into docs/accuracy.md, between markers of its own."""

from __future__ import annotations

from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/accuracy.md"


def put(text: str, mark: str, *, title: str) -> None:
    """Replace what stands between the markers; they are added at the end where they are missing."""
    begin = f"<!-- {mark}: begin, written by python -m bench {mark} -->"
    end = f"<!-- {mark}: end -->"
    before = DOCUMENT.read_text() if DOCUMENT.exists() else "# Accuracy\n"
    if begin not in before:
        before = f"{before.rstrip()}\n\n{title}\n\n{begin}\n{end}\n"
    head, rest = before.split(begin, 1)
    _, tail = rest.split(end, 1)
    DOCUMENT.write_text(f"{head}{begin}\n\n{text}\n\n{end}{tail}")
