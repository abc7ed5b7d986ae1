"""Service for downloading a table: logged, and in the export ledger if it names people."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.dashboard.spec import DashboardPage, DashboardRequest
from coach.research.exports.bundle.scope import Included
from coach.research.exports.models import Export, ExportedPseudonym


@transaction.atomic
def note_taken(*, glance: DashboardPage, asked: DashboardRequest, researcher: User) -> None:
    """Log the download; a table with pseudonyms is added to the ledger, like a bundle."""
    file = f"{glance.name}.csv"
    note_table(
        included=asked.included,
        file=file,
        purpose=_("Overview table: %(file)s") % {"file": file},
        people=[each.name for each in asked.included.people] if glance.names_people else [],
        researcher=researcher,
    )


@transaction.atomic
def note_table(
    *, included: Included, file: str, purpose: str, people: Sequence[str], researcher: User
) -> None:
    """Log the download of a table; the pseudonyms in it are added to the ledger."""
    study = included.study
    record_act(action="research.table_taken", target=study, actor=researcher, file=file)
    if not people:
        return
    now = timezone.now()
    export = Export.objects.create(
        study=study,
        asked_by=researcher,
        # The ledger and others' receipts outlive the account: the downloader's name is deleted with
        # it.
        recipient=_("a member of the study"),
        purpose=purpose,
        formats=[],
        cut_off=included.cut_off,
        state=Export.State.DONE,
        progress=1.0,
        finished_at=now,
        downloaded_at=now,
        downloaded_by=researcher,
        removed_at=now,
    )
    ExportedPseudonym.objects.bulk_create(
        ExportedPseudonym(export=export, pseudonym=name) for name in people
    )
