"""Takes that may be coded: whose owner agrees, now, to their picture and sound being used."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from coach.rehearsals.models import Rehearsal
from coach.research.studies.consent import consents_at
from coach.research.studies.models import LeftOut, Pseudonym, Scope, Study


class CodableTake(NamedTuple):
    """A take under the pseudonym of its owner, numbered as they were made."""

    rehearsal: Rehearsal
    label: str


def takes_that_may_be_used(study: Study) -> QuerySet[Rehearsal]:
    """Of people who take part and agree to sound, and to picture where there is one.

    From the days and groups of the study, none that was left out by hand. The recording of some may
    be deleted since: what was coded in it stays.
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


def takes_that_may_be_coded(study: Study) -> QuerySet[Rehearsal]:
    """Those of them whose recording is there."""
    return takes_that_may_be_used(study).filter(media_removed_at=None)


def _users(study: Study, participants: list[int]) -> QuerySet[Pseudonym]:
    links = Pseudonym.objects.filter(
        study=study, participant__in=participants, participant__withdrawn_at=None
    )
    return links.values("user")  # type: ignore[return-value]


def usable_takes(study: Study) -> list[CodableTake]:
    """With what they are called: pseudonym and number, no title and no name."""
    links = Pseudonym.objects.filter(study=study).select_related("participant")
    names = {link.user_id: link.participant.pseudonym for link in links}
    counts: dict[int, int] = {}
    found = []
    for rehearsal in takes_that_may_be_used(study):
        count = counts[rehearsal.owner_id] = counts.get(rehearsal.owner_id, 0) + 1
        label = f"{names[rehearsal.owner_id]} · {count}"
        found.append(CodableTake(rehearsal, label))
    return sorted(found, key=lambda take: take.label)


def codable_takes(study: Study) -> list[CodableTake]:
    """Those whose recording is there."""
    return [take for take in usable_takes(study) if take.rehearsal.media_removed_at is None]
