"""Words in scripts without capitals, where no rule can propose a name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_RUN: Final = re.compile(r"[^\W\d_](?:[\w\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e])*")
_SCRIPTS: Final[dict[str, str | Promise]] = {
    "ARABIC": _("Arabic script"),
    "HEBREW": _("Hebrew script"),
    "CJK": _("Chinese characters"),
    "HIRAGANA": _("Japanese kana"),
    "KATAKANA": _("Japanese kana"),
    "HANGUL": _("Korean script"),
    "THAI": _("Thai script"),
    "DEVANAGARI": _("Devanagari script"),
}
_OTHER: Final = _("another script without capitals")
_MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class UnreadWords:
    """The words of one script: how many there are, and the first different ones."""

    script: str
    count: int
    shown: tuple[str, ...]


def unread_words(said: Iterable[str]) -> list[UnreadWords]:
    """Return the words without capitals by script, those of most words first."""
    found: dict[str, list[str]] = {}
    for words in said:
        for run in _RUN.findall(words):
            if unicodedata.category(run[0]) == "Lo":
                found.setdefault(str(_script(run[0])), []).append(run)
    rows = [
        UnreadWords(script, len(runs), tuple(dict.fromkeys(runs))[:_MOST_SHOWN])
        for script, runs in found.items()
    ]
    return sorted(rows, key=lambda row: -row.count)


def _script(letter: str) -> str | Promise:
    return _SCRIPTS.get(unicodedata.name(letter, "").split(" ")[0].split("-")[0], _OTHER)
