"""Conversion of a transcribed recording to an interview, to be redacted next."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.research.coding.interviews.services import (
    InterviewData,
    VoiceRole,
    VoiceTurn,
    make_interview,
)
from coach.research.coding.models import Interview, Passage, Recording

PAUSE_MS = 2000
"""Least silence within a turn that is written down (rule of thumb: for the shorter ones of
conversation analysis, these times are not exact enough)."""


@transaction.atomic
def take_in(*, recording: Recording, marks_pauses: bool, language: str, actor: User) -> Interview:
    """Create the interview: neighbouring passages of one voice become one turn, with its times.

    Raises ValidationError if a passage has no voice, or if there are none. A second call returns
    the same interview.
    """
    held = Recording.objects.select_for_update(of=("self",)).get(pk=recording.pk)
    if held.interview is not None:
        return held.interview
    passages = list(held.passages.select_related("voice"))
    nobodys = sum(each.voice is None for each in passages)
    if nobodys or not passages:
        raise ValidationError(
            ngettext(
                "Choose the speaker first: %(n)s passage has none yet.",
                "Choose the speakers first: %(n)s passages have none yet.",
                nobodys,
            )
            % {"n": nobodys}
        )
    heading = InterviewData(
        mode=held.mode, language=language, held_on=held.held_on, guide=held.guide
    )
    parts = {
        str(voice.number): VoiceRole(role=voice.role, participant=voice.participant)
        for voice in held.voices.all()
    }
    held.interview = make_interview(
        study=held.study,
        heading=heading,
        parts=parts,
        turns=turns_of(passages, marks_pauses=marks_pauses),
        duration_ms=held.duration_ms,
        actor=actor,
    )
    held.save(update_fields=["interview"])
    return held.interview


def turns_of(passages: Sequence[Passage], *, marks_pauses: bool) -> list[VoiceTurn]:
    """Return each voice's words until another voice begins, on one line."""
    groups: list[list[Passage]] = []
    for each in passages:
        if not groups or groups[-1][-1].voice_id != each.voice_id:
            groups.append([])
        groups[-1].append(each)
    return [
        VoiceTurn(
            whose=str(group[0].voice.number) if group[0].voice else "",
            words=_line([tuple(w) for each in group for w in each.words], marks_pauses),
            start_ms=group[0].start_ms,
            end_ms=max(each.end_ms for each in group),
        )
        for group in groups
    ]


def _line(words: Sequence[tuple[str, int, int, int]], marks_pauses: bool) -> str:  # noqa: FBT001
    said: list[str] = []
    for place, (text, start, _end, _sure) in enumerate(words):
        gap = start - words[place - 1][2] if place else 0
        if marks_pauses and gap >= PAUSE_MS:
            said.append(_("[pause %(n)s s]") % {"n": round(gap / 1000)})
        said.append(text)
    return " ".join(said)
