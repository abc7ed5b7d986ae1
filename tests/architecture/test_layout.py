"""The formatter lays code out; what it is told to leave alone is counted."""

from __future__ import annotations

import re
from pathlib import Path

TOPS = ("analysis", "feedback_rules", "coach", "demo", "bench", "tests")
LEFT_ALONE = re.compile(r"#\s*fmt:\s*(skip|off)\b")
MOST = 20
"""Tables of words and numbers that are read as tables; nothing else needs a layout of its own."""


def test_the_formatter_is_told_to_leave_little_alone() -> None:
    found = [
        f"{path}:{number}"
        for top in TOPS
        for path in sorted(Path(top).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if LEFT_ALONE.search(line)
    ]
    assert len(found) < MOST, found
