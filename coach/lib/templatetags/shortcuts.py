"""Template tags for keyboard shortcuts: `{% key "accept" %}` on a button, and the list of
all keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context

from coach.lib.pages.shortcuts import GROUPS, SHORTCUTS, key_words, keys_of

register = template.Library()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One shortcut in the list."""

    name: str
    key: str
    keys: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGroup:
    """The shortcuts under one heading."""

    words: str
    rows: tuple[Row, ...]


@register.simple_tag(takes_context=True)
def shortcut_groups(context: Context, names: str) -> tuple[KeyGroup, ...]:
    """Return the groups with these names, separated by spaces, with the reader's own keys."""
    own = _own(context)
    return tuple(_group(name, own) for name in names.split())


def _own(context: Context) -> Mapping[str, str]:
    """Return the keys that the reader has chosen; empty for visitors."""
    kept: dict[str, Any] = getattr(context.get("user"), "shortcuts", None) or {}
    own: dict[str, str] = kept.get("keys", {})
    return own


def _group(name: str, own: Mapping[str, str]) -> KeyGroup:
    words, shortcuts = GROUPS[name]
    rows = (
        Row(
            name=each.name,
            key=" ".join(keys_of(each, own)),
            keys=tuple(key_words(key) for key in keys_of(each, own)),
            words=str(each.words),
        )
        for each in shortcuts
    )
    return KeyGroup(words=str(words), rows=tuple(rows))


@register.inclusion_tag("_key.html", takes_context=True)
def key(context: Context, name: str) -> dict[str, str]:
    """Return the key shown on a button; empty if the reader has removed it."""
    keys = keys_of(SHORTCUTS[name], _own(context))
    return {"words": key_words(keys[0]) if keys else ""}


@register.simple_tag(takes_context=True)
def key_name(context: Context, name: str) -> str:
    """Return the keys of a shortcut for `aria-keyshortcuts`."""
    return " ".join(keys_of(SHORTCUTS[name], _own(context)))
