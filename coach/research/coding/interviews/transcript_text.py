"""A conversation as one text: each line begins with its speaker; offsets are in code points."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coach.research.coding.models import Interview, Speaker, Text, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """One turn of a speaker."""

    speaker: Speaker
    words: str
    start_ms: int | None = None
    end_ms: int | None = None


def digest(words: str) -> str:
    """Return the SHA-256 of the UTF-8 text, in hexadecimal."""
    return hashlib.sha256(words.encode()).hexdigest()


def lead_in(speaker: Speaker) -> str:
    """Return the anonymous label at the start of a turn, which is part of it."""
    return f"{speaker.label}: "


def joined(said: Iterable[SpokenTurn]) -> list[SpokenTurn]:
    """Merge neighbouring turns of the same speaker."""
    found: list[SpokenTurn] = []
    for each in said:
        last = found[-1] if found else None
        if last is None or last.speaker.pk != each.speaker.pk:
            found.append(each)
            continue
        found[-1] = SpokenTurn(
            speaker=each.speaker,
            words=f"{last.words}\n{each.words}",
            start_ms=last.start_ms,
            end_ms=each.end_ms,
        )
    return found


def lay_text(
    interview: Interview, said: Sequence[SpokenTurn], kind: Text.Kind, **fields: object
) -> Text:
    """Save the text with its turns."""
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
