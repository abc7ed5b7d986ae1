"""Consent of the people in a recording: it may be opened only while all of them agree."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from coach.research.coding.models import Interview, Recording, Speaker, Voice
from coach.research.studies.consent import consents_at
from coach.research.studies.models import Participant, Scope, Study


def people_who_agree(study: Study) -> QuerySet[Participant]:
    """Return the current participants who consent to being recorded."""
    agreed = consents_at(study, timezone.now())
    keys = [pk for pk, scopes in agreed.items() if Scope.RECORDING in scopes]
    return Participant.objects.filter(study=study, withdrawn_at=None, pk__in=keys)


def everybody_agrees(recording: Recording) -> bool:
    """Return whether the recording may be opened: a missing or outdated consent closes it."""
    return recording.pk not in closed_among(recording.study, [recording])


def may_be_heard(interview: Interview) -> bool:
    """Return whether the recording of an interview is stored and may be opened."""
    found = Recording.objects.filter(interview=interview).select_related("study").first()
    return found is not None and found.is_here and everybody_agrees(found)


def closed_among(study: Study, recordings: Collection[Recording]) -> set[UUID]:
    """Return the recordings in which a person is heard without a current consent."""
    agree = set(people_who_agree(study).values_list("pk", flat=True))
    return {key for key, person in recorded_people(recordings) if person not in agree}


def recorded_people(recordings: Collection[Recording]) -> list[tuple[UUID, int | None]]:
    """Return pairs of recording and person: as planned, and as named in its interview since."""
    keys = [each.pk for each in recordings]
    planned = Voice.objects.filter(recording__in=keys, role=Speaker.Role.PARTICIPANT)
    named = Speaker.objects.filter(interview__recording__in=keys).exclude(participant=None)
    return [
        *planned.values_list("recording", "participant"),
        *named.values_list("interview__recording", "participant"),
    ]
