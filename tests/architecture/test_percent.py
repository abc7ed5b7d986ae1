"""English writes 60%, French a no-break space before the sign: in documents.

The sentences of pages and cards are read in test_catalogues.py, where they are gathered once.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.percent import NOT_ENGLISH

DOCUMENTS = sorted(
    path
    for path in (*Path("docs").rglob("*.md"), *Path().glob("*.md"))
    if not path.is_relative_to("docs/fr")
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_documents_are_written_the_english_way(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [match.group() for match in NOT_ENGLISH.finditer(text)] == []
