"""English writes 60%, French a no-break space before the sign: on pages, in documents, on cards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coach.lib.catalogues.extracting import extract_all

NOT_ENGLISH = re.compile(r"(?<=[\d}])[ \u00a0\u202f]%%?(?![\w(}{])|(?<=\)s)[ \u00a0\u202f]%%")
"""A space before the sign; `%(name)s` and `{% %}` are places for something, no per cent."""

RULES = "feedback_rules"
"""Rules are documents of those who wrote them, and the gallery is printed from them."""
DOCUMENTS = sorted(
    path for path in (*Path("docs").glob("*.md"), *Path().glob("*.md")) if path.name != "gallery.md"
)


def test_sentences_are_written_the_english_way() -> None:
    found = [
        text
        for message in extract_all()
        if {place for place, _line in message.locations} != {RULES}
        for text in ((message.id,) if isinstance(message.id, str) else message.id)
        if NOT_ENGLISH.search(text)
    ]
    assert found == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_documents_are_written_the_english_way(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [match.group() for match in NOT_ENGLISH.finditer(text)] == []
