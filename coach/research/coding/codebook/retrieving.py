"""Retrieval: all passages coded with one code, for reading together.

Texts only: codings of a recording are read next to its picture and sound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Prefetch, QuerySet
from django.db.models.functions import Substr

from coach.accounts.models import User
from coach.lib.pages.plain_text import storable
from coach.research.coding.erasing import BLANK, blanked
from coach.research.coding.models import Assignment, Code, Coding, Interview, Text, Turn
from coach.research.coding.selectors import codings_for, interviews_left

AT_ONCE = 100
_MOST_LETTERS = 100


@dataclass(kw_only=True)
class Stretch:
    """A coded passage with its codings."""

    words: str
    place: str
    """Interview, turn and who speaks there."""
    share: int | None = None
    """Where this person reads it among what stands around it."""
    turn: int = 0
    given: list[Coding] = field(default_factory=list)

    @property
    def coders(self) -> list[str]:
        """Return the labels of its coders, without duplicates."""
        return list(dict.fromkeys(each.coder.label for each in self.given))

    @property
    def memos(self) -> list[str]:
        """Return the memos of its codings, without duplicates."""
        return list(dict.fromkeys(each.memo for each in self.given if each.memo))

    @property
    def is_settled(self) -> bool:
        """Return whether adjudication confirmed the code."""
        return any(each.status == Coding.Status.ADJUDICATED for each in self.given)

    @property
    def is_rejected(self) -> bool:
        """Return whether adjudication rejected the code."""
        return all(each.status == Coding.Status.REJECTED for each in self.given)


def codings_to_read(code: Code, user: User) -> QuerySet[Coding]:
    """Return the visible codings of redacted texts, without withdrawn people."""
    return (
        codings_for(user)
        .filter(code=code, text__interview__state=Interview.State.LOCKED)
        .exclude(text__interview__in=interviews_left())
        .select_related("coder", "round")
        .order_by("text__interview__number", "start", "end", "pk")
    )


def retrieved(code: Code, user: User, *, words: str = "", start: int = 0) -> dict[str, Any]:
    """Return a page of coded passages, in text order.

    `words` filters the passages, ignoring case.
    """
    words = " ".join(storable(words).split())[:_MOST_LETTERS]
    said = Substr("text__text", F("start") + 1, F("end") - F("start"))
    found = codings_to_read(code, user).annotate(said=said)
    if words:
        found = found.filter(said__icontains=words)
    there = list(found[start : start + AT_ONCE + 1])
    return {
        "study": code.study,
        "code": code,
        "words": words,
        "stretches": _stretches(there[:AT_ONCE], user),
        "next": start + AT_ONCE if len(there) > AT_ONCE else 0,
    }


def _stretches(codings: Sequence[Coding], user: User) -> list[Stretch]:
    texts = _texts({each.text_id or 0 for each in codings})
    shares = _shares(user, [text.interview_id for text in texts.values()])
    found: dict[tuple[int, int, int], Stretch] = {}
    for each in codings:
        key = (each.text_id or 0, each.start or 0, each.end or 0)
        if key not in found:
            found[key] = _stretch(each, texts[key[0]], shares)
        found[key].given.append(each)
    return [each for each in found.values() if each.words.strip(f"{BLANK}\n ")]


def _texts(keys: set[int]) -> dict[int, Text]:
    """Return texts with their turns but without their words, which the passages contain."""
    turns = Prefetch("turns", Turn.objects.select_related("speaker__participant"))
    rows = Text.objects.filter(pk__in=keys).defer("text").select_related("interview")
    return {each.pk: each for each in rows.prefetch_related(turns)}


def _shares(user: User, interviews: Sequence[int]) -> dict[int, int]:
    own = Assignment.objects.filter(coder__user=user, interview__in=interviews).order_by("round")
    return dict(own.values_list("interview", "pk"))


def _stretch(coding: Coding, text: Text, shares: dict[int, int]) -> Stretch:
    start, end = coding.start or 0, coding.end or 0
    touched = [turn for turn in text.turns.all() if turn.start < end and turn.end > start]
    gone = [
        (max(turn.start, start) - start, min(turn.end, end) - start)
        for turn in touched
        if turn.speaker.participant and turn.speaker.participant.withdrawn_at
    ]
    said: str = coding.said  # type: ignore[attr-defined]
    first = touched[0] if touched else None
    where = [text.interview.label, *([str(first.number), first.speaker.label] if first else [])]
    return Stretch(
        words=blanked(said, gone),
        place=" · ".join(where),
        share=shares.get(text.interview_id),
        turn=first.number if first else 0,
    )
