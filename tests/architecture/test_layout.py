"""How code is laid out: what the formatter is told to leave alone is counted, and so are lines."""

from __future__ import annotations

import re
from pathlib import Path

TOPS = ("analysis", "feedback_rules", "coach", "demo", "bench", "tests")
LEFT_ALONE = re.compile(r"#\s*fmt:\s*(skip|off)\b")
MOST = 20
"""Tables of words and numbers that are read as tables; nothing else needs a layout of its own."""
LONGEST = 400
"""Lines of a module of the product: one that grows beyond is two ideas."""


def test_the_formatter_is_told_to_leave_little_alone() -> None:
    found = [
        f"{path}:{number}"
        for top in TOPS
        for path in sorted(Path(top).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if LEFT_ALONE.search(line)
    ]
    assert len(found) < MOST, found


def test_no_module_of_the_product_is_long() -> None:
    lengths = {
        str(path): len(path.read_text(encoding="utf-8").splitlines())
        for top in TOPS
        if top != "tests"
        for path in Path(top).rglob("*.py")
        if path.parent.name != "migrations"
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
