"""Naming of the speakers of an interview, also after it is locked: its words do not change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.models import Interview, Speaker, Turn
from coach.research.studies.models import (
    ConsentEvent,
    Participant,
    Pseudonym,
)
from coach.research.studies.noted_consents import add_without_account
from coach.research.studies.selectors import without_account

NEW = "new"
"""Value for a new participant without an account, who gets a pseudonym."""


@dataclass(frozen=True, slots=True)
class SpeakerAnswer:
    """Role and person of a speaker: a key, `new` for a person without an account, or empty.

    `group` is the study group of a person without an account; users set their own. Empty keeps a
    known group.
    """

    role: str
    person: str = ""
    group: str = ""


@transaction.atomic
def save_speakers(
    *, interview: Interview, said: Mapping[int, SpeakerAnswer], actor: User, language: str = ""
) -> None:
    """Save the speakers of an interview, and its language; an empty one leaves it unchanged.

    Raises ValidationError for a new person without a group.

    The speaker decides which words may be exported: without a recorded consent, none are.
    """
    held = Interview.objects.select_for_update(of=("self",)).get(pk=interview.pk)
    for speaker in held.speakers.all():
        if speaker.pk not in said:
            continue
        who = said[speaker.pk]
        speaker.role = who.role
        takes_part = who.role == Speaker.Role.PARTICIPANT
        speaker.participant = _person(held, who, actor) if takes_part else None
        speaker.save(update_fields=["role", "participant"])
    people = held.speakers.filter(role=Speaker.Role.PARTICIPANT)
    known = people.exclude(participant=None).first()
    held.participant = known.participant if known else None
    held.kind = Interview.Kind.FOCUS_GROUP if people.count() > 1 else Interview.Kind.INTERVIEW
    held.language = language or held.language
    held.save(update_fields=["participant", "kind", "language"])
    record_act(action="research.speakers_named", target=held, actor=actor, language=held.language)


def _person(interview: Interview, who: SpeakerAnswer, actor: User) -> Participant | None:
    if not who.person:
        return None
    if who.person == NEW:
        return add_without_account(study=interview.study, group=who.group)
    found = Participant.objects.get(study=interview.study, pk=int(who.person))
    before = found.group
    if who.group in {"", before} or Pseudonym.objects.filter(participant=found).exists():
        return found
    found.group = who.group
    found.save(update_fields=["group"])
    record_act(
        action="research.group_changed",
        target=interview,
        actor=actor,
        person=found.pseudonym,
        before=before,
        after=found.group,
    )
    return found


def people_on_paper(interview: Interview) -> list[Participant]:
    """Return the speakers without an account."""
    spoken = set(interview.speakers.values_list("participant", flat=True))
    return [each for each in without_account(interview.study) if each.pk in spoken]


def recorded_consents(people: Collection[Participant]) -> list[ConsentEvent]:
    """Return the current recorded consents of these people."""
    events = ConsentEvent.objects.filter(participant__in=people).select_related("participant")
    last = {(each.participant.pseudonym, each.scope): each for each in events}
    return [last[key] for key in sorted(last)]


@transaction.atomic
def save_questions(
    *, interview: Interview, questions: Mapping[int, int | None], actor: User
) -> None:
    """Save the question of the guide that each turn asks, by turn number; None if it asks none."""
    turns = Turn.objects.filter(text__interview=interview, text__is_current=True)
    rows = list(turns.filter(number__in=questions))
    for turn in rows:
        turn.question = questions[turn.number]
    Turn.objects.bulk_update(rows, ["question"])
    record_act(action="research.questions_named", target=interview, actor=actor)
