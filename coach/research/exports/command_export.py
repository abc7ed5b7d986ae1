"""Immediate export for the command line, in the ledger like any other."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from coach.audit.services import record_act
from coach.lib.files.private import private_file
from coach.research.exports.bundle.build import build
from coach.research.exports.bundle.package import digest_of
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.ledger import enter
from coach.research.exports.models import Export
from coach.research.studies.models import Study


def export_to(
    *,
    study: Study,
    target: Path,
    folder: Path,
    formats: Sequence[str],
    recipient: str,
    purpose: str,
    agreement: str,
) -> Export:
    """Write the bundle of a study to a file. Raises Refused or OSError, and leaves no file then."""
    cut_off = study.cut_off or last_change(study)
    included = Included(study=study, cut_off=cut_off, formats=frozenset(formats))
    scratch, made = folder / "bundle", folder / "bundle.zip"
    scratch.mkdir()
    export = Export(
        study=study,
        recipient=recipient,
        purpose=purpose,
        agreement=agreement,
        formats=list(formats),
        cut_off=cut_off,
        state=Export.State.DONE,
        progress=1,
    )
    with _taken_back(export), private_file(target) as file:
        counts = build(included, scratch, made, has_agreement=bool(agreement))
        # From here on the file is with the person who ran the command; the site keeps none. The
        # ledger entry precedes the first byte: a kill in between leaves a superfluous entry, never
        # an unknown copy.
        export.finished_at = export.removed_at = export.downloaded_at = timezone.now()
        with transaction.atomic():
            enter(export, included, counts=counts, sha256=digest_of(made), size=made.stat().st_size)
        with made.open("rb") as whole:
            shutil.copyfileobj(whole, file)
    return export


@contextmanager
def _taken_back(export: Export) -> Iterator[None]:
    """Remove the ledger entry again if the export could not be written; the audit log keeps it."""
    try:
        yield
    except BaseException:
        with transaction.atomic():
            for entered in Export.objects.filter(pk=export.pk):
                record_act(action="research.bundle_removed", target=entered)
                entered.delete()
        raise
