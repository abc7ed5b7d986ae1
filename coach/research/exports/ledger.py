"""The ledger: which export holds whom, and who has to be told when somebody withdraws."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.exports.bundle.scope import Included
from coach.research.exports.models import Export, ExportedPseudonym
from coach.research.studies.models import Participant, Study


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


def to_be_told(study: Study) -> QuerySet[ExportedPseudonym]:
    """People who withdrew and whom an export holds, as long as nobody told its recipient."""
    gone = Participant.objects.filter(study=study, withdrawn_at__isnull=False)
    return ExportedPseudonym.objects.filter(
        export__study=study, told_at=None, pseudonym__in=gone.values("pseudonym")
    ).select_related("export")


def somebody_left(export: Export) -> bool:
    """Whether anybody who is in it has withdrawn since: then it goes to nobody any more."""
    held = export.pseudonyms.values("pseudonym")
    gone = Participant.objects.filter(study=export.study_id, withdrawn_at__isnull=False)
    return gone.filter(pseudonym__in=held).exists()


@transaction.atomic
def note_told(*, export: Export, actor: User) -> None:
    """Its recipient knows whom to delete."""
    told = to_be_told(export.study).filter(export=export)
    people = list(told.values_list("pseudonym", flat=True))
    if told.update(told_at=timezone.now()):
        record_act(action="research.recipient_told", target=export, actor=actor, people=people)
