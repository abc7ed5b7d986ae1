"""An export in one go, for the command line; it stands in the ledger like any other."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from django.db import transaction
from django.utils import timezone

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
    """Write the bundle of a study into a file. Raises Refused or OSError; then nothing is there."""
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
    with private_file(target) as file:
        counts = build(included, scratch, made, has_agreement=bool(agreement))
        with made.open("rb") as whole:
            shutil.copyfileobj(whole, file)
        file.flush()
        # Whoever ran the command has it from here on; the site keeps none.
        export.finished_at = export.removed_at = export.downloaded_at = timezone.now()
        with transaction.atomic():
            enter(export, included, counts=counts, sha256=digest_of(made), size=made.stat().st_size)
    return export
