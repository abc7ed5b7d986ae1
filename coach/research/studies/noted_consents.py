"""Consent of people without an account, given on paper or aloud, recorded by a researcher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.words.dates import latest_day
from coach.research.studies.locks import hold_study
from coach.research.studies.models import ConsentDocument, ConsentEvent, Participant, Study
from coach.research.studies.selectors import without_account


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedAnswer:
    """What people said to the scopes of these sheets, one sheet for each scope."""

    sheets: Sequence[ConsentDocument]
    agrees: bool
    method: str
    said_on: date


def add_without_account(*, study: Study, group: str) -> Participant:
    """Create a pseudonym for a person. Raises ValidationError without a valid group."""
    if group not in Participant.Group.values:
        raise ValidationError(_("Choose this person’s role in the study."))
    return Participant.objects.create(study=study, group=group)


@transaction.atomic
def note_consents(
    *, study: Study, people: Sequence[Participant], answer: NotedAnswer, actor: User
) -> int:
    """Record the answer of people without an account; return how many consents changed.

    An answer that is already recorded for the sheet adds no event. Raises ValidationError for a
    person with an account, who decides on their own page, and for a future date.
    """
    hold_study(study.pk)
    if {each.pk for each in people} - {each.pk for each in without_account(study)}:
        raise ValidationError(_("This participant decides on their own study page."))
    if answer.said_on > latest_day():
        raise ValidationError({"said_on": _("This date is in the future.")})
    scopes = [each.scope for each in answer.sheets]
    events = ConsentEvent.objects.filter(participant__in=people, scope__in=scopes)
    last = {
        (each.participant_id, each.scope): each
        for each in events.select_related("document").order_by("at", "pk")
    }
    made = ConsentEvent.objects.bulk_create(
        event
        for person in people
        for sheet in answer.sheets
        if (event := _event(person, sheet, answer, last.get((person.pk, sheet.scope)), actor))
    )
    record_act(
        action="research.consent_noted",
        target=study,
        actor=actor,
        scopes=sorted(scopes),
        method=answer.method,
        kind=ConsentEvent.Kind.GRANTED if answer.agrees else ConsentEvent.Kind.WITHDRAWN,
        people=len(people),
    )
    return len(made)


def _event(
    person: Participant,
    sheet: ConsentDocument,
    answer: NotedAnswer,
    last: ConsentEvent | None,
    actor: User,
) -> ConsentEvent | None:
    stands = last is not None and last.kind in ConsentEvent.STANDING
    if answer.agrees and last and stands and last.document.version >= sheet.version:
        return None
    if not answer.agrees and last and not stands:
        return None
    if answer.agrees:
        kind = ConsentEvent.Kind.RENEWED if last else ConsentEvent.Kind.GRANTED
    else:
        kind = ConsentEvent.Kind.WITHDRAWN if stands else ConsentEvent.Kind.DECLINED
    noon = timezone.make_aware(datetime.combine(answer.said_on, time(12)))
    at = min(noon, timezone.now())
    return ConsentEvent(
        participant=person,
        scope=sheet.scope,
        kind=kind,
        # A withdrawal is from the sheet that the person had agreed to.
        document=last.document if last and not answer.agrees else sheet,
        method=answer.method,
        # Events are in the order in which consent was given.
        at=max(at, last.at) if last else at,
        recorded_by=actor,
    )
