"""Blocks that benchmarks write into the documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.document import DOCUMENTS, marks, put


def test_what_is_written_replaces_what_was_and_nothing_else(tmp_path: Path) -> None:
    place, (begin, end) = tmp_path / "load.md", marks("load")
    place.write_text(f"before\n{begin}\nold\n{end}\nafter\n")
    for told in ("one", "two\nthree"):
        put("load", told, place=place)
    assert place.read_text() == f"before\n{begin}\n\ntwo\nthree\n\n{end}\nafter\n"


def test_a_document_without_the_block_is_left_as_it_is(tmp_path: Path) -> None:
    place, (begin, _end) = tmp_path / "load.md", marks("load")
    place.write_text(f"before\n{begin}\n")
    with pytest.raises(ValueError, match="no block called load"):
        put("load", "text", place=place)
    assert place.read_text() == f"before\n{begin}\n"


BLOCKS = (
    *("listening", "edges", "quiet_ends", "disturbed", "watching", "hangs", "sampling"),
    *("fillers", "fillers hearing", "fillers interval", "fillers words", "fillers heads"),
    *("load", "judgement", "firing"),
)


@pytest.mark.parametrize("name", BLOCKS)
def test_one_document_has_the_block(name: str) -> None:
    begin, end = marks(name)
    texts = [path.read_text(encoding="utf-8") for path in DOCUMENTS.rglob("*.md")]
    [text] = [each for each in texts if begin in each]
    assert 0 < text.index(begin) < text.index(end)
