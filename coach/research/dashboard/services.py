"""Taking a table with one: written down, and into the ledger where people are in it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.dashboard.spec import Asked, Glance
from coach.research.exports.models import Export, ExportedPseudonym


@transaction.atomic
def note_taken(*, glance: Glance, asked: Asked, researcher: User) -> None:
    """Somebody takes a table; where it has pseudonyms, the ledger says whose, as for a bundle."""
    study = asked.included.study
    file = f"{glance.name}.csv"
    record_act(action="research.table_taken", target=study, actor=researcher, file=file)
    if not glance.names_people:
        return
    now = timezone.now()
    export = Export.objects.create(
        study=study,
        asked_by=researcher,
        # The ledger and receipts of others outlive the account: who asked is deleted with it.
        recipient=_("a member of the study"),
        purpose=_("Overview table: %(file)s") % {"file": file},
        formats=[],
        cut_off=asked.included.cut_off,
        state=Export.State.DONE,
        progress=1.0,
        finished_at=now,
        downloaded_at=now,
        downloaded_by=researcher,
        removed_at=now,
    )
    ExportedPseudonym.objects.bulk_create(
        ExportedPseudonym(export=export, pseudonym=person.name) for person in asked.included.people
    )
