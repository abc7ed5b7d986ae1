"""Generated blocks in documents, each between two marks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ROOT / "docs"


def publish(
    name: str, lines: Iterable[str], *, is_written: bool, place: Path | None = None
) -> None:
    """Print the lines as they come; with `is_written`, put them into their block of the document.

    Args:
        name: The command, and after a space which of its blocks: ``fillers hearing``.
        place: The document. Without one, the one in docs/ that has the block.
    """
    shown = []
    for line in lines:
        print(line, flush=True)
        shown.append(line)
    if is_written:
        put(name, "\n".join(shown), place=place)


def put(name: str, text: str, *, place: Path | None = None) -> None:
    """Replace the text of a block. Raises ValueError if the document has no such block."""
    begin, end = marks(name)
    place = place or _document_with(begin)
    before, begun, rest = place.read_text(encoding="utf-8").partition(begin)
    _old, ended, after = rest.partition(end)
    if not (begun and ended):
        raise ValueError(f"{place.name} has no block called {name}.")
    place.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def _document_with(mark: str) -> Path:
    [found] = [path for path in DOCUMENTS.rglob("*.md") if mark in path.read_text(encoding="utf-8")]
    return found


def marks(name: str) -> tuple[str, str]:
    """Return the two comments that enclose a block."""
    command = name.partition(" ")[0]
    return (
        f"<!-- {name}: begin, written by python -m bench {command} -->",
        f"<!-- {name}: end -->",
    )
