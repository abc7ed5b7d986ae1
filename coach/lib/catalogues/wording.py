"""Habits of wording that readers stumble over, in interface texts and documents.

`docs/reference/glossary.md` and CONTRIBUTING have the words to use. A text may keep a habit if
`wording_allowed.toml` names it, with the reason.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from coach.lib.catalogues.extracting import ROOT, extract_all

_ALLOWED = Path(__file__).with_name("wording_allowed.toml")
_DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md")
_NOT_OURS_TO_CHANGE = (
    "docs/lab/",
    "docs/decisions",
    "docs/fr/",
    ".fr.md",
    "gallery.md",
    "firing.md",
    "judgement.md",
)
"""Records of their day, generated pages, and other languages."""
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A pattern of wording and the plain words to use instead."""

    name: str
    pattern: re.Pattern[str]
    instead: str


def _habit(name: str, pattern: str, instead: str) -> Habit:
    return Habit(name=name, pattern=re.compile(pattern, re.MULTILINE), instead=instead)


HABITS = (
    _habit(
        "clause for a noun",
        r"(?:^|(?<=[.;:!] ))(?:What|Who|Whoever|Of whom)"
        r" (?:is|are|was|were|has|had|can|could|cannot|may|waits|came)\b(?=[^.?\n]{12,}\.)",
        "a noun: the recording, trainees, the missing words",
    ),
    _habit(
        "is told",
        r"\b(?:is|are|was|were|be|been|being) (?:not )?told\b(?! (?:apart|from|to)\b)|\btold of\b",
        "see, read, get an email, is notified, we show",
    ),
    _habit(
        "stands",
        r"(?<!camera )(?<!body that )(?<!screen )\b(?:stands|stood)\b"
        r"(?! (?:out|still|up|by|for|between|askew|elsewhere|on its)\b)"
        r"|\b(?:which|that|they|these|those|does) stand\b(?! (?:out|still|up|by|for)\b)",
        "is, appears, applies, is listed",
    ),
    _habit(
        "lies",
        r"\b(?:recordings?|files?|data|texts?|media|takes?|things?) (?:lies|lie|lay)\b"
        r"|\bwhere (?:\w+ ){1,3}(?:lies|lie|lay)\b",
        "is, is stored",
    ),
    _habit("anew", r"\banew\b|\bonce more\b", "again, or a verb with re-: redrafted, recalculated"),
    _habit("meanwhile", r"\bmeanwhile\b(?=[.;]|$)", "in the meantime, since then"),
    _habit(
        "from X on",
        r"\bfrom (?!now\b|here\b|then\b)[^ .;,]+(?: [^ .;,]+)? on\b(?=[.,;:]|$)",
        "X or more, after X, since X",
    ),
    _habit(
        "is no X",
        r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|later\b|need\b)",
        "is not a",
    ),
    _habit("put right", r"\b(?:put|puts|set|sets) right\b", "correct, a correction"),
    _habit(
        "what is kept",
        r"\b[Ww]hat (?:is|was|are) (?:kept|told|held|put|taken|laid|handed|stored)\b",
        "saved data, the saved text, storage",
    ),
)


class Slip(NamedTuple):
    """One habit found in one text."""

    place: str
    habit: Habit
    passage: str


def slips() -> list[Slip]:
    """Return the habits in all interface texts and documents, without those that are allowed."""
    allowed = [each["text"] for each in tomllib.loads(_ALLOWED.read_text("utf-8"))["allowed"]]
    texts = [*_interface_texts(), *_documents()]
    return [
        slip
        for place, text in texts
        for slip in slips_in(place, text)
        if not any(each in text and slip.passage in each for each in allowed)
    ]


def slips_in(place: str, text: str) -> Iterator[Slip]:
    """Yield the habits in one text."""
    plain = _CODE.sub("", text)
    for habit in HABITS:
        for match in habit.pattern.finditer(plain):
            yield Slip(place, habit, match[0])


def _interface_texts() -> Iterator[tuple[str, str]]:
    for message in extract_all():
        for text in (message.id,) if isinstance(message.id, str) else message.id:
            if text:
                yield message.locations[0][0] if message.locations else "catalogue", text


def _documents() -> Iterator[tuple[str, str]]:
    for pattern in _DOCUMENTS:
        for path in sorted(ROOT.glob(pattern)):
            place = path.relative_to(ROOT).as_posix()
            if not any(part in place for part in _NOT_OURS_TO_CHANGE):
                lines = _CODE.sub("", path.read_text("utf-8")).split("\n\n")
                yield from ((place, " ".join(each.split("\n"))) for each in lines)
