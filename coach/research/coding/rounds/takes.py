"""Takes for coding: their owners currently consent to the use of sound and picture."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from coach.rehearsals.models import Rehearsal
from coach.research.studies.consent import consents_at
from coach.research.studies.models import LeftOut, Participant, Pseudonym, Scope, Study


class CodableTake(NamedTuple):
    """A take under its owner's pseudonym, numbered in the order of recording."""

    rehearsal: Rehearsal
    label: str


def consented_rehearsals(study: Study) -> QuerySet[Rehearsal]:
    """Return the takes of participants who consent to sound, and to picture if there is one.

    Within the dates and groups of the study, without takes excluded by hand. The recording of some
    may be deleted: their codings stay.
    """
    agreed = consents_at(study, timezone.now())
    sound = [pk for pk, scopes in agreed.items() if Scope.AUDIO in scopes]
    picture = [pk for pk in sound if Scope.VIDEO in agreed[pk]]
    takes = Rehearsal.objects.filter(
        Q(owner__in=_users(study, picture)) | Q(owner__in=_users(study, sound), has_video=False)
    ).exclude(pk__in=LeftOut.objects.filter(study=study).values("rehearsal"))
    if study.cohorts.exists():
        takes = takes.filter(cohort__in=study.cohorts.all())
    if study.starts_on:
        takes = takes.filter(created_at__date__gte=study.starts_on)
    if study.ends_on:
        takes = takes.filter(created_at__date__lte=study.ends_on)
    return takes.order_by("owner", "created_at", "pk")


def consented_rehearsals_with_media(study: Study) -> QuerySet[Rehearsal]:
    """Return those takes whose recording still exists."""
    return consented_rehearsals(study).filter(media_removed_at=None)


def may_be_read(study: Study, take: Rehearsal) -> bool:
    """Return whether the owner of a take currently consents to the use of their words."""
    return Pseudonym.objects.filter(
        user=take.owner_id, participant__in=readable_participants(study)
    ).exists()


def readable_participants(study: Study) -> set[int]:
    """Return the participants who currently consent to the use of their words (by key)."""
    agreed = consents_at(study, timezone.now())
    keys = [pk for pk, scopes in agreed.items() if Scope.TRANSCRIPT in scopes]
    people = Participant.objects.filter(study=study, withdrawn_at=None, pk__in=keys)
    return set(people.values_list("pk", flat=True))


def _users(study: Study, participants: list[int]) -> QuerySet[Pseudonym]:
    links = Pseudonym.objects.filter(
        study=study, participant__in=participants, participant__withdrawn_at=None
    )
    return links.values("user")  # type: ignore[return-value]


def usable_takes(study: Study) -> list[CodableTake]:
    """Return those takes with their names: pseudonym and number, without title or name."""
    links = Pseudonym.objects.filter(study=study).select_related("participant")
    names = {link.user_id: link.participant.pseudonym for link in links}
    counts: dict[int, int] = {}
    found = []
    for rehearsal in consented_rehearsals(study):
        count = counts[rehearsal.owner_id] = counts.get(rehearsal.owner_id, 0) + 1
        label = f"{names[rehearsal.owner_id]} · {count}"
        found.append(CodableTake(rehearsal, label))
    return sorted(found, key=lambda take: take.label)


def codable_takes(study: Study) -> list[CodableTake]:
    """Return the named takes whose recording still exists."""
    return [take for take in usable_takes(study) if take.rehearsal.media_removed_at is None]
