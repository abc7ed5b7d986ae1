"""The ledger: which export holds whom, and who has to be told when somebody withdraws."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils import timezone

from coach.audit.services import record_act
from coach.research.exports.bundle.scope import Included
from coach.research.exports.models import Export, ExportedPseudonym
from coach.research.studies.models import Participant


def enter(
    export: Export, included: Included, *, counts: Mapping[str, int], sha256: str, size: int
) -> None:
    """Write down what was made and whom it holds; call inside the transaction that ends it."""
    export.counts, export.sha256, export.size_bytes = dict(counts), sha256, size
    export.save()
    ExportedPseudonym.objects.filter(export=export).delete()
    ExportedPseudonym.objects.bulk_create(
        ExportedPseudonym(export=export, pseudonym=person.name) for person in included.people
    )
    record_act(
        action="research.bundle_made",
        target=export,
        actor=export.asked_by,
        study=export.study.slug,
        sha256=sha256,
        recipient=export.recipient,
    )


def holding(participant: Participant) -> QuerySet[ExportedPseudonym]:
    """The earlier exports that hold somebody."""
    return ExportedPseudonym.objects.filter(
        export__study=participant.study, pseudonym=participant.pseudonym
    ).select_related("export")


def note_withdrawal(participant: Participant) -> int:
    """Each of those has to be told to its recipient; returns how many."""
    return holding(participant).filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
