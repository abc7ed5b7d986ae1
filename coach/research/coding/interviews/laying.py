"""A conversation as one text: a line begins with who speaks; positions are code points."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coach.research.coding.models import Interview, Speaker, Text, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one speaker says in one go."""

    speaker: Speaker
    words: str
    start_ms: int | None = None
    end_ms: int | None = None


def digest(words: str) -> str:
    """SHA-256 of the text as UTF-8, in hexadecimal."""
    return hashlib.sha256(words.encode()).hexdigest()


def lead_in(speaker: Speaker) -> str:
    """What a turn begins with: it is part of the turn and names nobody."""
    return f"{speaker.label}: "


def joined(said: Iterable[Said]) -> list[Said]:
    """Neighbouring turns of the same speaker as one."""
    found: list[Said] = []
    for each in said:
        last = found[-1] if found else None
        if last is None or last.speaker.pk != each.speaker.pk:
            found.append(each)
            continue
        found[-1] = Said(
            speaker=each.speaker,
            words=f"{last.words}\n{each.words}",
            start_ms=last.start_ms,
            end_ms=each.end_ms,
        )
    return found


def lay_text(interview: Interview, said: Sequence[Said], kind: Text.Kind, **fields: object) -> Text:
    """Write the text and its turns."""
    lines = [unicodedata.normalize("NFC", f"{lead_in(e.speaker)}{e.words}") for e in said]
    words = "\n".join(lines)
    text = Text.objects.create(
        interview=interview,
        kind=kind,
        text=words,
        sha256=digest(words),
        n_code_points=len(words),
        **fields,
    )
    turns, at = [], 0
    for number, (line, each) in enumerate(zip(lines, said, strict=True), start=1):
        turns.append(
            Turn(
                text=text,
                number=number,
                speaker=each.speaker,
                start=at,
                end=at + len(line),
                start_ms=each.start_ms,
                end_ms=each.end_ms,
            )
        )
        at += len(line) + 1
    Turn.objects.bulk_create(turns)
    return text
