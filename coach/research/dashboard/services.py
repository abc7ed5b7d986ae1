"""Service for downloading a table: logged, and in the export ledger if it names people."""

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
    """Log the download; a table with pseudonyms is added to the ledger, like a bundle."""
    study = asked.included.study
    file = f"{glance.name}.csv"
    record_act(action="research.table_taken", target=study, actor=researcher, file=file)
    if not glance.names_people:
        return
    now = timezone.now()
    export = Export.objects.create(
        study=study,
        asked_by=researcher,
        # The ledger and others' receipts outlive the account: the downloader's name is deleted with
        # it.
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
