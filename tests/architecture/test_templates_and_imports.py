"""Templates close what they open, and test modules stay independent of each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TAG = re.compile(
    r"{%\s*(?P<block>for|if|with|else|elif|empty|endfor|endif|endwith)\b"
    r"|<(?P<end>/?)(?P<name>details|section|div|ul|ol|dl|table|fieldset|article)\b"
)


def _unclosed(text: str) -> Iterator[str]:
    """Elements that a branch or a loop opens and does not close, or the other way round."""
    open_blocks: list[Counter[str]] = []
    for tag in TAG.finditer(text):
        block, name = tag["block"], tag["name"]
        if block in {"for", "if", "with"}:
            open_blocks.append(Counter())
        elif block and open_blocks:
            left = {each: count for each, count in open_blocks[-1].items() if count}
            if left:
                yield f"line {text[: tag.start()].count(chr(10)) + 1}: {left}"
            open_blocks[-1] = Counter()
            if block.startswith("end"):
                open_blocks.pop()
        elif name and open_blocks:
            open_blocks[-1][name] += -1 if tag["end"] else 1


def test_a_branch_closes_what_it_opens() -> None:
    found = [
        f"{path}: {each}"
        for path in sorted(Path("templates").rglob("*.html"))
        for each in _unclosed(path.read_text(encoding="utf-8"))
    ]
    assert found == []


OF_ANOTHER = re.compile(r"^from (tests[\w.]*\.test_\w+) import", re.MULTILINE)
ADDRESSES = "tests.coach.test_strangers"
"""Every address of the site stands there, where a new one is first to be written down."""


def test_no_test_module_imports_another() -> None:
    found = [
        f"{path}: {module}"
        for path in sorted(Path("tests").rglob("*.py"))
        for module in OF_ANOTHER.findall(path.read_text(encoding="utf-8"))
        if module != ADDRESSES
    ]
    assert found == []
