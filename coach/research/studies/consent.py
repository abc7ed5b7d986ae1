"""Which consents stood at a time: the last event of each scope, unless the text changed since."""

from __future__ import annotations

from datetime import datetime

from coach.research.studies.models import ConsentDocument, ConsentEvent, Study


def consents_at(study: Study, at: datetime) -> dict[int, set[str]]:
    """By participant the scopes whose consent stood then.

    Whoever agreed to a version before the last material one has to be asked again first.
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
