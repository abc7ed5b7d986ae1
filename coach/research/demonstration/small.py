"""A small study in which one take and one interview are coded freely, for the demonstration."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.annotation.free import new_code, open_freely
from coach.research.coding.annotation.services import TakeSpan, TextSpan, mark, write_coding_memo
from coach.research.coding.codebook.services import add_code
from coach.research.coding.codebook.starter_codes import next_colour
from coach.research.coding.models import Assignment, Code, Interview, Speaker
from coach.research.coding.rounds.takes import consented_rehearsals
from coach.research.coding.takes.words import transcript_of
from coach.research.demonstration.interviews import conversation_text, lay
from coach.research.demonstration.people import agree_to
from coach.research.studies.models import (
    Member,
    Participant,
    Pseudonym,
    Scope,
    Study,
    StudySecret,
)
from coach.research.themes.services import add_theme, change_theme

SLUG = "pauses-and-plans"
_TAKE_SCOPES = (Scope.MEASUREMENTS, Scope.TRANSCRIPT, Scope.AUDIO, Scope.VIDEO)
_CODES = ("Way into the talk", "Silence before a point", "Help from a person")
_MEMO = (
    "People describe pauses as something they plan, and the take shows where they work.\n\n"
    "Next: look for interviews in which nobody plans them."
)


@transaction.atomic
def make_small_study(*, take: Rehearsal, researcher: User) -> Study | None:
    """Create the study with its codings and a theme; None if it is there already."""
    if Study.objects.filter(slug=SLUG).exists():
        return None
    study = Study.objects.create(
        slug=SLUG,
        title="Pauses and plans: a small demonstration",
        question="How do people plan pauses, and what do they do in a talk?",
        protocol="A demonstration: its interview is invented.",
        is_synthetic=True,
        state=Study.State.RUNNING,
        created_by=researcher,
    )
    StudySecret.objects.create(study=study)
    Member.objects.create(study=study, user=researcher, role=Member.Role.LEAD)
    speaker = Participant.objects.create(study=study)
    Pseudonym.objects.create(study=study, participant=speaker, user=take.owner)
    agree_to(speaker, *_TAKE_SCOPES, at=timezone.now())
    codes = [
        add_code(code=Code(study=study, name=name, colour=next_colour(study)), actor=researcher)
        for name in _CODES
    ]
    coded = [
        *_code_take(study, take, codes, researcher),
        *_code_interview(study, codes, researcher),
    ]
    theme = add_theme(study=study, name="Silence as a plan", actor=researcher)
    change_theme(theme=theme, name=theme.name, memo=_MEMO, codes=coded, actor=researcher)
    return study


def _code_take(
    study: Study, take: Rehearsal, codes: list[Code], researcher: User
) -> Iterable[Code]:
    """Code the first lines of the take, if consent and recording allow it."""
    if not consented_rehearsals(study).filter(pk=take.pk).exists():
        return ()
    share = open_freely(study=study, unit=take, actor=researcher)
    lines = [line for line in transcript_of(take) if line.words][:3]
    for line, code in zip(lines, (codes[0], codes[1], codes[1]), strict=False):
        start, end = (round(1000 * at) for at in (line.words[0].start, line.words[-1].end))
        (made, *_rest) = mark(assignment=share, code=code, stretches=[TakeSpan(take, start, end)])
        if code == codes[0]:
            memo = "Begins without a greeting."
            write_coding_memo(assignment=share, coding=made, memo=memo)
    return codes[:2]


def _code_interview(study: Study, codes: list[Code], researcher: User) -> Iterable[Code]:
    """Code three answers of an invented interview, one of them in vivo."""
    expert = Participant.objects.create(study=study, group=Participant.Group.EXPERT)
    agree_to(expert, Scope.TRANSCRIPT, at=timezone.now())
    interview = Interview.objects.create(
        study=study,
        number=1,
        participant=expert,
        mode=Interview.Mode.VIDEO_CALL,
        language="en",
        held_on=timezone.localdate(),
        state=Interview.State.LOCKED,
        created_by=researcher,
    )
    text = lay(interview, conversation_text(interview, expert))
    share: Assignment = open_freely(study=study, unit=interview, actor=researcher)
    answers = text.turns.filter(speaker__role=Speaker.Role.PARTICIPANT).order_by("number")
    spans = [TextSpan(text, turn.start + len("P: "), turn.end) for turn in answers]
    in_vivo = new_code(assignment=share, name="one breath before each number", actor=researcher)
    for span, code in zip(spans, (codes[2], in_vivo, codes[1]), strict=False):
        mark(assignment=share, code=code, stretches=[span])
    return (in_vivo,)
