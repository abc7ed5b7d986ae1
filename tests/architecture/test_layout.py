"""How code is laid out: what the formatter is told to leave alone is counted, and so are lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TOPS = ("analysis", "feedback_rules", "coach", "demo", "bench", "tests")
LEFT_ALONE = re.compile(r"#\s*fmt:\s*(skip|off)\b")
MOST = 20
"""Tables of words and numbers that are read as tables; nothing else needs a layout of its own."""
LONGEST = 400
"""Lines of a module of the product: one that grows beyond is two ideas."""
LONGEST_FUNCTION = 50
"""Lines of a function, its docstring not counted."""


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
    lengths = {str(path): len(text.splitlines()) for path, text in _modules_of_the_product()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_no_function_of_the_product_is_long() -> None:
    lengths = {
        f"{path}:{each.lineno} {each.name}": _lines_of(each)
        for path, text in _modules_of_the_product()
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FUNCTION} == {}


def _modules_of_the_product() -> Iterator[tuple[Path, str]]:
    for top in TOPS:
        for path in Path(top).rglob("*.py"):
            if top != "tests" and path.parent.name != "migrations":
                yield path, path.read_text(encoding="utf-8")


def _lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From its name to its end."""
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and ast.get_docstring(function) is not None
    told = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - told
