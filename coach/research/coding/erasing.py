"""Erasure of a participant's words from coded texts, keeping all other offsets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from coach.drafts.purge import purge_drafts
from coach.research.coding.models import (
    Assignment,
    Coding,
    Interview,
    Redaction,
    Speaker,
    Text,
    Turn,
)
from coach.research.studies.models import Participant
from coach.research.studies.taking_part import participant_left

BLANK = "\N{LIGHT SHADE}"
"""Replaces each code point of a withdrawn participant in a group conversation."""

EXPLAINED = ("description", "include_when", "exclude_when", "examples")
"""Texts of a code that may quote a participant."""


@transaction.atomic
def erase_words_of(participant: Participant) -> int:
    """Delete their interviews and blank their turns in group conversations; return the number of
    texts.

    In a group conversation others' words, codings and offsets stay. Quotes of them are removed from
    what others wrote, sent or not: examples of codes, memos, notes.
    """
    participant_left.send(sender=Participant, participant=participant)
    alone = Interview.objects.filter(participant=participant, kind=Interview.Kind.INTERVIEW)
    slug = participant.study.slug
    pages = [
        reverse("research:interview", args=[slug, number])
        for number in alone.values_list("number", flat=True)
    ]
    purge_drafts(pages)
    count = len(pages)
    alone.delete()
    voices = Speaker.objects.filter(participant=participant).select_related("interview")
    for text in Text.objects.filter(interview__speakers__in=voices).distinct():
        turns = list(Turn.objects.filter(text=text, speaker__in=voices))
        _blank_in(text, turns)
        count += 1
    voices.update(called="", participant=None, role=Speaker.Role.OTHER)
    Interview.objects.filter(participant=participant).update(participant=None)
    return count


def purge_drafts_of_take(rehearsal_id: UUID) -> None:
    """Delete the drafts of the pages on which coders code this take."""
    shares = Assignment.objects.filter(rehearsal=rehearsal_id)
    purge_drafts(
        [
            reverse("research:coding", args=[slug, pk])
            for slug, pk in shares.values_list("round__study__slug", "pk")
        ]
    )


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with these code points blanked; line feeds and all offsets stay."""
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
