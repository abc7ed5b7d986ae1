"""An export in one go, for the command line; it stands in the ledger like any other."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from django.db import transaction
from django.utils import timezone

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
    """Write the bundle of a study into a file. Raises Refused; then nothing is there."""
    cut_off = study.cut_off or last_change(study)
    included = Included(study=study, cut_off=cut_off, formats=frozenset(formats))
    scratch, made = folder / "bundle", folder / "bundle.zip"
    scratch.mkdir()
    counts = build(included, scratch, made, has_agreement=bool(agreement))
    export = Export(
        study=study,
        recipient=recipient,
        purpose=purpose,
        agreement=agreement,
        formats=list(formats),
        cut_off=cut_off,
        state=Export.State.DONE,
        progress=1,
        finished_at=timezone.now(),
        # Whoever ran the command has it; the site keeps none.
        removed_at=timezone.now(),
        downloaded_at=timezone.now(),
    )
    with transaction.atomic():
        enter(export, included, counts=counts, sha256=digest_of(made), size=made.stat().st_size)
    partial = target.with_name(f"{target.name}.part")
    shutil.copyfile(made, partial)
    partial.replace(target)
    return export
