"""Taking somebody's words out of what is coded, so that all other positions stay right."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q

from coach.research.coding.models import Coding, Interview, Redaction, Speaker, Text, Turn
from coach.research.studies.models import Participant

BLANK = "\N{LIGHT SHADE}"
"""Stands for each code point of somebody who is no longer in a conversation of several."""


@transaction.atomic
def forget_words_of(participant: Participant) -> int:
    """Delete their interviews; blank what they said among others. Returns how many texts that was.

    In a conversation of several everybody else's words, codings and positions stay.
    """
    alone = Interview.objects.filter(participant=participant, kind=Interview.Kind.INTERVIEW)
    count = alone.count()
    alone.delete()
    voices = Speaker.objects.filter(participant=participant).select_related("interview")
    for text in Text.objects.filter(interview__speakers__in=voices).distinct():
        turns = list(Turn.objects.filter(text=text, speaker__in=voices))
        _blank_in(text, turns)
        count += 1
    voices.update(called="", participant=None, role=Speaker.Role.OTHER)
    Interview.objects.filter(participant=participant).update(participant=None)
    return count


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with these code points blanked; line feeds stay, and so does every position."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = [c if c == "\n" else BLANK for c in letters[start:end]]
    return "".join(letters)


def _blank_in(text: Text, turns: list[Turn]) -> None:
    text.text = blanked(text.text, ((turn.start, turn.end) for turn in turns))
    text.sha256 = hashlib.sha256(text.text.encode()).hexdigest()
    text.save(update_fields=["text", "sha256"])
    within = Q(pk__in=())
    for turn in turns:
        within |= Q(start__lt=turn.end, end__gt=turn.start)
    Coding.objects.filter(within, text=text).delete()
    Redaction.objects.filter(within, text=text).delete()
