"""Valid consents at a time: the last event of each scope, unless the text has changed since."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from coach.research.studies.models import ConsentDocument, ConsentEvent, Participant, Study


def consents_at(study: Study, at: datetime) -> dict[int, set[str]]:
    """Return the scopes with valid consent at that time, by participant.

    A person who accepted a version before the last material change must be asked again first.
    """
    least: dict[str, int] = {}
    material = ConsentDocument.objects.filter(study=study, is_material=True, created_at__lte=at)
    for scope, version in material.values_list("scope", "version"):
        least[scope] = max(version, least.get(scope, 0))
    events = ConsentEvent.objects.filter(participant__study=study, at__lte=at)
    last: dict[tuple[int, str], tuple[str, int]] = {}
    for participant, scope, kind, version in events.order_by("at", "pk").values_list(
        "participant", "scope", "kind", "document__version"
    ):
        last[participant, scope] = (kind, version)
    found: dict[int, set[str]] = {}
    for (participant, scope), (kind, version) in last.items():
        if kind in ConsentEvent.STANDING and version >= least.get(scope, 0):
            found.setdefault(participant, set()).add(scope)
    return found


def taken_back(study: Study) -> dict[int, set[str]]:
    """Return the scopes that are declined or withdrawn now, by participant; effective at once."""
    events = ConsentEvent.objects.filter(participant__study=study).order_by("at", "pk")
    last = {
        (participant, scope): kind
        for participant, scope, kind in events.values_list("participant", "scope", "kind")
    }
    found: dict[int, set[str]] = {}
    for (participant, scope), kind in last.items():
        if kind not in ConsentEvent.STANDING:
            found.setdefault(participant, set()).add(scope)
    return found


def no_longer_agreeing(study: Study, scope: str) -> set[int]:
    """Return the participants who have left, or whose last answer on this scope is no.

    A sheet that has changed since is not an answer, and does not count.
    """
    people = Participant.objects.filter(study=study)
    left = set(people.exclude(withdrawn_at=None).values_list("pk", flat=True))
    said = ConsentEvent.objects.filter(
        participant__study=study, scope=scope, at__lte=timezone.now()
    ).order_by("at", "pk")
    last = dict(said.values_list("participant", "kind"))
    return left | {who for who, kind in last.items() if kind not in ConsentEvent.STANDING}
