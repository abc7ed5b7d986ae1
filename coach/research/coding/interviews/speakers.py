"""Saying who speaks in an interview, also once it is locked: no word of it changes."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.models import Interview, Speaker
from coach.research.studies.models import Participant


@transaction.atomic
def say_who_speaks(
    *, interview: Interview, said: Mapping[int, tuple[str, str]], actor: User
) -> None:
    """Part and person of each speaker. `new` is somebody without an account: an expert's pseudonym.

    Whose words it is decides what leaves: without a consent that was noted, none of them does.
    """
    held = Interview.objects.select_for_update(of=("self",)).get(pk=interview.pk)
    for speaker in held.speakers.all():
        role, person = said[speaker.pk]
        speaker.role = role
        speaker.participant = _person(held, person) if role == Speaker.Role.PARTICIPANT else None
        speaker.save(update_fields=["role", "participant"])
    people = held.speakers.filter(role=Speaker.Role.PARTICIPANT)
    known = people.exclude(participant=None).first()
    held.participant = known.participant if known else None
    held.kind = Interview.Kind.FOCUS_GROUP if people.count() > 1 else Interview.Kind.INTERVIEW
    held.save(update_fields=["participant", "kind"])
    record_act(action="research.speakers_named", target=held, actor=actor)


def _person(interview: Interview, said: str) -> Participant | None:
    if said == "new":
        return Participant.objects.create(study=interview.study, group=Participant.Group.EXPERT)
    if not said:
        return None
    return Participant.objects.get(study=interview.study, pk=int(said))
