"""Templates and stylesheet know the same classes: nothing is styled for nobody, or not at all."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STYLED = re.compile(r"\.([a-zA-Z][\w-]*)")
ATTRIBUTE = re.compile(r'class="((?:[^"{]|{[{%].*?[%}]})*)"')
TAG = re.compile(r"{[{%].*?[%}]}")
# What a script looks for, or htmx puts there, and what wears no look of its own.
NO_LOOK = {"marks"}
NOT_IN_TEMPLATES = {"htmx-request", "errorlist"}


def _words(attribute: str) -> set[str]:
    """The classes of an attribute; one that ends in what the template fills in keeps a `*`."""
    words = set(re.sub(r"{{.*?}}", "*", re.sub(r"{%.*?%}", " ", attribute)).split())
    quoted = {word for tag in TAG.findall(attribute) for word in re.findall(r"[\w-]+", tag)}
    return {word for word in words if "%" not in word} | (quoted & _styled())


@cache
def _styled() -> frozenset[str]:
    sheets = sorted((ROOT / "static" / "css").glob("*.css"))
    css = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    bare = re.sub(
        r"/\*.*?\*/|@import[^;]*;|url\(.*?\)|\"[^\"]*\"|\d\.\d+", " ", css, flags=re.DOTALL
    )
    return frozenset(STYLED.findall(bare))


def _used() -> set[str]:
    pages = (path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html"))
    return {word for page in pages for each in ATTRIBUTE.findall(page) for word in _words(each)}


def _in_scripts() -> str:
    return " ".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "static" / "js").glob("*.js")
    )


def test_every_class_in_a_template_has_a_look() -> None:
    styled = _styled()
    unknown = {
        word
        for word in _used()
        if not any(re.fullmatch(word.replace("*", ".*"), each) for each in styled)
    }
    assert unknown == NO_LOOK


def test_every_look_is_worn_somewhere() -> None:
    used, scripts = _used(), _in_scripts()
    filled = [word.replace("*", ".*") for word in used if "*" in word]
    blocks = " ".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")
    )
    unworn = {
        look
        for look in _styled() - used - NOT_IN_TEMPLATES
        if not any(re.fullmatch(pattern, look) for pattern in filled)
        and look not in scripts
        and f"{{% block wide %}}{look}{{% endblock %}}" not in blocks
    }
    assert unworn == set()
