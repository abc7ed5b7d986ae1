"""Details of an audit log entry in words: labels, and values of choices.

A value from a list of choices gets the label of that choice, from the field that defines it: models
of higher apps are looked up by name, since this app imports none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import pgettext

from analysis.metrics import BY_ID
from coach.audit.registry import NAMES, VALUES, Words
from coach.lib.pages.shortcuts import GROUPS
from coach.lib.words.measure_words import event_words, label_of
from coach.lib.words.punctuation import pair_words

NOTHING = "–"


def detail_words(action: str, kind: str, detail: Mapping[str, object]) -> str:
    """Return the details of an entry: 'before → after · name: value'."""
    rest = dict(detail)
    said = []
    if {"before", "after"} <= rest.keys():
        said = _change(action, kind, rest.pop("before"), rest.pop("after"))
    said += [
        pair_words(name_words(kind, name), _value(action, kind, name, value))
        for name, value in rest.items()
    ]
    return " · ".join(said) or NOTHING


def _change(action: str, kind: str, before: object, after: object) -> list[str]:
    """Return the change; of a value with several parts only those that differ."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        was, now = (_value(action, kind, "before", each) for each in (before, after))
        return [f"{was} → {now}"]
    names = [each for each in {**before, **after} if before.get(each) != after.get(each)]
    return [
        pair_words(
            name_words(kind, name),
            " → ".join(_value(action, kind, name, side.get(name)) for side in (before, after)),
        )
        for name in names
    ]


def name_words(kind: str, name: str) -> str:
    """Return the label of a detail of this kind of object; its name if there is none."""
    if name == "before":
        return pgettext("logged", "before")
    if name == "after":
        return pgettext("logged", "after")
    own = _field_words(kind, name)
    return str(own or NAMES.get(name) or name)


def choice_words(action: str, name: str) -> Mapping[str, Words]:
    """Return the labels of the values that this detail can have in entries of this action."""
    if name == "after":
        name = "before"
    named = VALUES.get(f"{action}:{name}") or VALUES.get(name) or {}
    return _choices(named) if isinstance(named, str) else named


def _value(action: str, kind: str, name: str, value: object) -> str:
    if value in (None, "", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return pgettext("logged", "yes") if value else pgettext("logged", "no")
    if isinstance(value, dict):
        return ", ".join(_pairs(action, kind, name, value))
    if isinstance(value, list):
        return ", ".join(_value(action, kind, name, each) for each in value)
    if isinstance(value, str):
        return _one_of(action, kind, name, value)
    return str(localize(value))


def _pairs(action: str, kind: str, name: str, within: Mapping[str, object]) -> list[str]:
    keys = _key_words() if name == "keys" else {}
    return [
        f"{keys.get(key) or name_words(kind, key)} "
        f"{_value(action, kind, name if name == 'dropped' else key, value)}"
        for key, value in within.items()
    ]


def _key_words() -> dict[str, str]:
    return {each.name: str(each.words) for _heading, keys in GROUPS.values() for each in keys}


def _one_of(action: str, kind: str, name: str, value: str) -> str:
    if name in {"changed", "fields"}:
        return name_words(kind, value)
    if name == "measure" and value in BY_ID:
        return label_of(value)
    if name == "event":
        return event_words(value)
    return str(choice_words(action, name).get(value, value))


def _field_words(kind: str, name: str) -> Promise | None:
    try:
        field = apps.get_model(kind)._meta.get_field(name) if kind else None  # noqa: SLF001
    except (LookupError, ValueError, FieldDoesNotExist):
        return None
    words = getattr(field, "verbose_name", None)
    # A label that Django derives from the field's name is not translated.
    return words if isinstance(words, Promise) else None


@cache
def _choices(path: str) -> Mapping[str, Words]:
    model, _dot, name = path.rpartition(".")
    field = apps.get_model(model)._meta.get_field(name)  # noqa: SLF001 (Django's public API)
    return dict(getattr(field, "flatchoices", ()))
