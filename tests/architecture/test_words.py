"""One word, one meaning: in the names of what production code is made of."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

TOPS = ("analysis", "feedback_rules", "coach", "demo", "bench")
ONE_MEANING = (
    "Change",
    "Clip",
    "Evidence",
    "Finding",
    "Group",
    "Item",
    "Moment",
    "Outcome",
    "RuleRow",
    "Stage",
    "Track",
    "Weights",
)
"""Words that everybody reaches for: each is one class, wherever in the code one reads it."""

FORMER = re.compile(r"\b(Bell|Crew|Purse|rung_at|ring_for_\w+|sweeper rings|forgotten\()")
"""What a lease, a wakeup, a worker and a token bucket were called."""


def _sources() -> Iterator[Path]:
    for top in TOPS:
        for path in sorted(Path(top).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def _classes() -> Counter[str]:
    return Counter(
        node.name
        for path in _sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )


@pytest.fixture(scope="module")
def classes() -> Counter[str]:
    return _classes()


@pytest.mark.parametrize("name", ONE_MEANING)
def test_a_word_that_everybody_uses_is_one_class(name: str, classes: Counter[str]) -> None:
    assert classes[name] == 1


def test_no_former_word_has_come_back() -> None:
    found = [
        f"{path}: {match.group()}"
        for path in _sources()
        for match in FORMER.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_practice_alone_knows_progress_and_practising() -> None:
    named = [
        *(Path("coach/feedback").rglob("*progress*")),
        *(Path("coach/feedback").rglob("*practi*")),
        *(Path("templates/feedback").rglob("*progress*")),
        *(Path("templates/feedback").rglob("*practi*")),
    ]
    assert [path for path in named if path.suffix in {".py", ".html"}] == []
