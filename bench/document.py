"""The parts of a document that benches write: each between two marks of its own."""

from __future__ import annotations

from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[1] / "docs/accuracy.md"


def put(name: str, text: str, *, heading: str, place: Path = DOCUMENT) -> None:
    """Replace what the bench of this name wrote, or add it under its heading."""
    begin, end = (
        f"<!-- {name}: begin, written by python -m bench {name} -->",
        f"<!-- {name}: end -->",
    )
    document = place.read_text(encoding="utf-8")
    now = f"{begin}\n\n{text}\n\n{end}"
    if begin in document:
        before, rest = document.split(begin, 1)
        document = before + now + rest.split(end, 1)[1]
    else:
        document = f"{document.rstrip()}\n\n## {heading}\n\n{now}\n"
    place.write_text(document, encoding="utf-8")
