"""What a comment cites can be found: studies by name and year, never papers that are not here."""

from __future__ import annotations

import re
from pathlib import Path

TOPS = ("analysis", "feedback_rules", "coach", "bench", "demo", "docs", "templates", "static")
KINDS = {".py", ".yml", ".md", ".html", ".js", ".css"}
ELSEWHERE = re.compile(
    r"\b(the )?literature(,? [A-Z]?\d|'s \d|:)|\(design, |interface guide|\((literature|house), ",
    re.IGNORECASE,
)


def test_no_comment_cites_a_document_that_is_not_in_the_repository() -> None:
    found = [
        f"{path}:{number}: {line.strip()}"
        for top in TOPS
        for path in sorted(Path(top).rglob("*"))
        if path.suffix in KINDS
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ELSEWHERE.search(line)
    ]
    assert found == []
