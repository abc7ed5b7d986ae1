"""Naming of the speakers of an interview, also after it is locked: its words do not change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.words.dates import latest_day
from coach.research.coding.models import Interview, Speaker, Turn
from coach.research.studies.models import (
    ConsentDocument,
    ConsentEvent,
    Participant,
    Pseudonym,
    Study,
)
from coach.research.studies.selectors import sheets_for

NEW = "new"
"""In the place of a person: somebody without an account, who gets a pseudonym."""


@dataclass(frozen=True, slots=True)
class Who:
    """Role and person of a speaker: a key, `new` for a person without an account, or empty.

    `group` is the study group of a person without an account; users set their own. Empty keeps a
    known group.
    """

    role: str
    person: str = ""
    group: str = ""


@transaction.atomic
def say_who_speaks(
    *, interview: Interview, said: Mapping[int, Who], actor: User, language: str = ""
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


def _person(interview: Interview, who: Who, actor: User) -> Participant | None:
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


def add_without_account(*, study: Study, group: str) -> Participant:
    """Create a pseudonym for a person. Raises ValidationError without a valid group."""
    if group not in Participant.Group.values:
        raise ValidationError(_("Choose this person’s role in the study."))
    return Participant.objects.create(study=study, group=group)


def without_account(study: Study) -> list[Participant]:
    """Return participants without an account, whose consent a researcher records."""
    linked = Pseudonym.objects.filter(study=study).values("participant")
    found = study.participants.filter(withdrawn_at=None).exclude(pk__in=linked)
    return list(found.order_by("pseudonym"))


def consents_noted(interview: Interview) -> list[ConsentEvent]:
    """Return the current recorded consents of speakers without an account."""
    spoken = set(interview.speakers.values_list("participant", flat=True))
    people = [each.pk for each in without_account(interview.study) if each.pk in spoken]
    events = ConsentEvent.objects.filter(participant__in=people).select_related("participant")
    last = {(each.participant.pseudonym, each.scope): each for each in events}
    return [last[key] for key in sorted(last)]


@transaction.atomic
def note_consent(
    *,
    participant: Participant,
    scopes: Sequence[str],
    method: str,
    said_on: date,
    language: str,
    actor: User,
) -> None:
    """Record the consent of a person without an account, given on paper or aloud.

    A consent that is already recorded for the current sheet adds no event. Raises ValidationError
    for a person with an account, who decides on their own page, and for a future date.
    """
    study = participant.study
    if Pseudonym.objects.filter(participant=participant).exists():
        raise ValidationError(_("This participant decides on their own study page."))
    if said_on > latest_day():
        raise ValidationError({"said_on": _("This date is in the future.")})
    at = min(timezone.make_aware(datetime.combine(said_on, time(12))), timezone.now())
    for sheet in sheets_for(study, language):
        said = participant.consents.filter(scope=sheet.scope).select_related("document")
        last = said.last()
        if sheet.scope not in scopes or (last and _stands(last, sheet)):
            continue
        ConsentEvent.objects.create(
            participant=participant,
            scope=sheet.scope,
            kind=ConsentEvent.Kind.RENEWED if last else ConsentEvent.Kind.GRANTED,
            document=sheet,
            method=method,
            # Events are in the order in which consent was given.
            at=max(at, last.at) if last else at,
            recorded_by=actor,
        )
    record_act(
        action="research.consent_noted",
        target=study,
        actor=actor,
        scopes=sorted(scopes),
        method=method,
    )


def _stands(last: ConsentEvent, sheet: ConsentDocument) -> bool:
    return last.kind in ConsentEvent.STANDING and last.document.version >= sheet.version


@transaction.atomic
def say_what_was_asked(
    *, interview: Interview, questions: Mapping[int, int | None], actor: User
) -> None:
    """Save the question of the guide that each turn asks, by turn number; None if it asks none."""
    turns = Turn.objects.filter(text__interview=interview, text__is_current=True)
    rows = list(turns.filter(number__in=questions))
    for turn in rows:
        turn.question = questions[turn.number]
    Turn.objects.bulk_update(rows, ["question"])
    record_act(action="research.questions_named", target=interview, actor=actor)
