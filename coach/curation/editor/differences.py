"""Differences between two versions of a rule, by field in words and by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from django.utils.translation import gettext as _

from coach.curation.editor.fields import Field, Path, shown
from coach.curation.editor.layout import FieldGroup
from coach.curation.editor.sections import sections
from coach.lib.words.numbers import typeset
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import rule_of
from feedback_rules.loader import rule_to_document

Document = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field, before and after; empty on the side that lacks it."""

    place: str
    label: str
    before: str
    after: str


def differences(before: RuleVersion | None, after: RuleVersion | None) -> tuple[Difference, ...]:
    """Return the differences between two versions by field, in the form's words."""
    return document_differences(_document(before), _document(after))


def document_differences(before: Document, after: Document) -> tuple[Difference, ...]:
    """Return the differences between two documents by field, in the form's words."""
    olds, news = _flat(before), _flat(after)
    return tuple(
        Difference(
            place=(news.get(key) or olds[key])[0],
            label=(news.get(key) or olds[key])[1],
            before=olds[key][2] if key in olds else "",
            after=news[key][2] if key in news else "",
        )
        for key in _in_order(olds, news)
        if olds.get(key, ("", "", ""))[2] != news.get(key, ("", "", ""))[2]
    )


def line_differences(before: RuleVersion | None, after: RuleVersion | None) -> str:
    """Return the unified diff of two versions' YAML texts."""
    lines = unified_diff(
        before.text.splitlines() if before else [],
        after.text.splitlines() if after else [],
        fromfile=str(before or ""),
        tofile=str(after or ""),
        lineterm="",
    )
    return "\n".join(lines)


def _document(version: RuleVersion | None) -> Document:
    return rule_to_document(rule_of(version)) if version else {}


_Flat = dict[Path, tuple[str, str, str]]


def _in_order(olds: _Flat, news: _Flat) -> Iterator[Path]:
    yield from dict.fromkeys([*news, *olds])


def _flat(document: Document) -> _Flat:
    """Return each field's place, label and value in words by path; cases are keyed by name."""
    found: _Flat = {}
    if not document:
        return found
    for section in sections(document):
        for group in section.groups:
            for place, field in _placed(group, section.title):
                found[_key(field.path, document)] = (place, field.label, _words(field, document))
    return found


def _placed(group: FieldGroup, place: str) -> Iterator[tuple[str, Field]]:
    here = " · ".join(part for part in (place, group.title) if part)
    for field in group.fields:
        yield here, field
    for inner in group.groups:
        yield from _placed(inner, here)


def _key(path: Path, document: Document) -> Path:
    if path[0] == "cases" and isinstance(path[1], int):
        return ("cases", document["cases"][path[1]].get("name", path[1]), *path[2:])
    return path


def _words(field: Field, document: Document) -> str:
    value = shown(field, document)
    names = dict(field.choices)
    if field.kind == "tick":
        return _("yes") if value else _("no")
    if field.kind == "many":
        return ", ".join(names.get(each, each) for each in value)
    if field.choices:
        return str(names.get(value, value))
    if field.kind in {"number", "whole"}:
        return typeset(str(value))
    return str(value).replace("\n", "; ")
