"""What stands in quotation marks of ours gets the inner ones for those that it holds itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SENTENCE = re.compile(
    r"{%\s*blocktranslate\b(?P<tag>.*?)%}(?P<text>.*?){%\s*endblocktranslate", re.DOTALL
)
# What is quoted there are words and keys of ours, which hold no quotation marks.
OF_OURS = {
    "coach/curation/editor/labels.py",
    "coach/feedback/pages/analysing.py",
    "coach/portal/profile/key_views.py",
}


def quoted_in_template(source: str) -> Iterator[tuple[str, bool]]:
    """Each name in quotation marks, and whether it is set as one."""
    for sentence in SENTENCE.finditer(source):
        for name in re.findall(r"“{{ ?(\w+) ?}}:?”", sentence["text"]):
            given = re.search(rf"\b{name}=(\S+)", sentence["tag"])
            yield name, given is not None and "|within_quotes" in given[1]


def quotes_something(source: str) -> bool:
    """Whether a sentence of a module has a place in quotation marks."""
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"“%\(\w+\)s:?”", node.value)
        for node in ast.walk(ast.parse(source))
    )


def test_templates_set_what_they_quote() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), *each)
        for path in TEMPLATES
        for each in quoted_in_template(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 10
    assert [each for each in found if not each[2]] == []


def test_modules_set_what_they_quote() -> None:
    quoting = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "coach").rglob("*.py"))
        if quotes_something(path.read_text(encoding="utf-8"))
    }
    assert len(quoting) > 15
    assert {path for path, source in quoting.items() if "within_quotes(" not in source} == OF_OURS


@pytest.mark.parametrize(
    ("template", "is_set"),
    [
        ("{% blocktranslate with a=b.c %}Of “{{ a }}”{% endblocktranslate %}", False),
        ("{% blocktranslate %}Of “{{ a }}”{% endblocktranslate %}", False),
        ("{% blocktranslate with a=b.c|within_quotes %}Of “{{ a }}”{% endblocktranslate %}", True),
    ],
)
def test_what_a_template_quotes_is_found(template: str, is_set: bool) -> None:
    assert list(quoted_in_template(template)) == [("a", is_set)]
