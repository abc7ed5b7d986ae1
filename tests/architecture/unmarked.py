"""Finds what people would read in English whatever their language: text that is not marked.

Templates: text between tags, the attributes that are read out, literals given to filters. Code:
literals that look like words for people and stand in no call that translates them. Both are honest
guesses, not proofs: what is neither is named in a list beside the test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple


class Unmarked(NamedTuple):
    """A text and the line it stands on."""

    line: int
    text: str


_SKIPPED = re.compile(
    r"{%\s*comment\b.*?endcomment\s*%}|{#.*?#}|<!--.*?-->|{%\s*block wide\s*%}\w*"
    r"|{%\s*blocktrans(?:late)?\b.*?endblocktrans(?:late)?\s*%}|<(script|style)\b.*?</\1>",
    re.DOTALL,
)
_FILTERED = re.compile(r"""\|(?:default|default_if_none|yesno|pluralize|join):("[^"]*"|'[^']*')""")
_TEMPLATE_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
_HTML_TAG = re.compile(r"<[^<>]*>", re.DOTALL)
_READ_OUT = re.compile(
    r"""\b(?:title|alt|aria-\w*label|aria-description|placeholder|summary|hx-confirm"""
    r"""|data-(?:label|news|sign-in))\s*=\s*"([^"]*)\""""
)
_WORD = re.compile(r"[^\W\d_]{2,}")
# Marks that French sets otherwise than English: they belong into the sentence.
_MARK = re.compile(r"[“”‘’:;!?]")


def in_template(source: str) -> Iterator[Unmarked]:
    """Text of a template that no tag translates."""
    text = _SKIPPED.sub(_blank, source)
    for found in _FILTERED.finditer(text):
        if _WORD.search(found[1]):
            yield Unmarked(_line(text, found.start()), found[1].strip("\"'"))
    text = _TEMPLATE_TAG.sub(_blank, text)
    for found in _READ_OUT.finditer(text):
        if _WORD.search(found[1]):
            yield Unmarked(_line(text, found.start()), found[1])
    yield from _between_tags(text)


def _between_tags(text: str) -> Iterator[Unmarked]:
    for number, line in enumerate(_HTML_TAG.sub(_apart, text).splitlines(), start=1):
        for piece in line.split("\0"):
            bare = re.sub(r"&#?\w+;", " ", piece).strip()
            if _WORD.search(bare) or _MARK.search(bare):
                yield Unmarked(number, bare)


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def _apart(tag: re.Match[str]) -> str:
    return "\0" + "\n" * tag[0].count("\n")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


_TRANSLATE = {
    *("_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"),
    *("pgettext", "pgettext_lazy", "npgettext", "npgettext_lazy"),
}
_FOR_NOBODY = {
    # Logs and commands are for those who run the site, patterns and addresses for machines.
    *("debug", "info", "warning", "error", "exception", "critical", "getLogger", "compile"),
    *("add_parser", "ArgumentParser", "ImproperlyConfigured"),
    *("ValueError", "TypeError", "KeyError", "RuntimeError", "LookupError", "OSError", "Error"),
    *("execute", "strftime", "startswith", "endswith", "removeprefix", "replace", "get"),
}
_LIKE_WORDS = re.compile(r"[^\W\d_]{2,}[,;:]? [^\W\d_]{2,}|[^\W\d_]{2,} \0|\0 [^\W\d_]{2,}")


def in_code(source: str) -> Iterator[Unmarked]:
    """Literals of a module that look like words for people and are not translated."""
    yield from _walk(ast.parse(source))


def _walk(node: ast.AST) -> Iterator[Unmarked]:
    if _is_for_nobody(node):
        return
    text = _text_of(node)
    if text is not None and _LIKE_WORDS.search(text):
        yield Unmarked(getattr(node, "lineno", 0), text.replace("\0", "{}"))
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _walk(child)


def _is_for_nobody(node: ast.AST) -> bool:
    """A call that translates or logs, a docstring, the name of a type, what a row is called in the
    shell."""
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
    if isinstance(node, ast.Call):
        return _name_of(node.func) in _FOR_NOBODY | _TRANSLATE
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.FunctionDef) and node.name in {"__str__", "__repr__"}


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)
        return "".join(map(str, parts))
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else None


def _name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
