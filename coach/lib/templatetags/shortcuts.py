"""`{% key "accept" %}` on a button, and the list of all keys."""

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
    """One line of the list."""

    name: str
    key: str
    keys: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGroup:
    """The lines under one heading."""

    words: str
    rows: tuple[Row, ...]


@register.simple_tag(takes_context=True)
def shortcut_groups(context: Context, names: str) -> tuple[KeyGroup, ...]:
    """The groups with these names, separated by spaces, as the list shows them: one's own keys."""
    own = _own(context)
    return tuple(_group(name, own) for name in names.split())


def _own(context: Context) -> Mapping[str, str]:
    """What the reader chose instead of the usual keys; nothing for visitors."""
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
    """The key of a shortcut as it stands on a button; empty where the reader wants none."""
    keys = keys_of(SHORTCUTS[name], _own(context))
    return {"words": key_words(keys[0]) if keys else ""}


@register.simple_tag(takes_context=True)
def key_name(context: Context, name: str) -> str:
    """The key of a shortcut as `aria-keyshortcuts` wants it."""
    return " ".join(keys_of(SHORTCUTS[name], _own(context)))
