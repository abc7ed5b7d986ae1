"""What benches write into the documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.document import DOCUMENT, put
from bench.load.run import DOCUMENT as SCALING


def marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: begin, written by python -m bench {name} -->", f"<!-- {name}: end -->"


def test_what_is_written_replaces_what_was_and_nothing_else(tmp_path: Path) -> None:
    place, (begin, end) = tmp_path / "scaling.md", marks("load")
    place.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    for told in ("one", "two\nthree"):
        put("load", told, heading="Load", place=place)
    assert place.read_text() == f"before\n{begin}\n\ntwo\nthree\n\n{end}\nafter\n"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        *((name, DOCUMENT) for name in ("listening", "edges", "quiet_ends", "watching")),
        *((name, DOCUMENT) for name in ("fillers", "sampling")),
        ("load", SCALING),
    ],
)
def test_the_document_has_the_place_for_it(name: str, place: Path) -> None:
    begin, end = marks(name)
    text = place.read_text(encoding="utf-8")
    assert 0 < text.index(begin) < text.index(end)
