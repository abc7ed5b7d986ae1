"""`{% key "accept" %}` on a button, and the list of all keys."""

from __future__ import annotations

from dataclasses import dataclass

from django import template

from coach.lib.shortcuts import GROUPS, SHORTCUTS, key_words

register = template.Library()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the list."""

    name: str
    key: str
    keys: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The lines under one heading."""

    words: str
    rows: tuple[Row, ...]


@register.simple_tag
def shortcut_groups(names: str) -> tuple[Group, ...]:
    """The groups with these names, separated by spaces, as the list shows them."""
    return tuple(_group(name) for name in names.split())


def _group(name: str) -> Group:
    words, shortcuts = GROUPS[name]
    rows = (
        Row(
            name=each.name,
            key=each.key,
            keys=tuple(key_words(key) for key in each.keys),
            words=str(each.words),
        )
        for each in shortcuts
    )
    return Group(words=str(words), rows=tuple(rows))


@register.inclusion_tag("_key.html")
def key(name: str) -> dict[str, str]:
    """The key of a shortcut as it stands on a button."""
    return {"words": key_words(SHORTCUTS[name].keys[0])}


@register.simple_tag
def key_name(name: str) -> str:
    """The key of a shortcut as `aria-keyshortcuts` wants it."""
    return " ".join(SHORTCUTS[name].keys)
