"""Services for requesting and downloading a bundle, and for importing a file."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.interviews.reading import NotATranscript
from coach.research.exports.bundle.scope import last_change
from coach.research.exports.ledger import has_withdrawn_people
from coach.research.exports.models import BundleImport, Export
from coach.research.exports.tasks import enqueue, enqueue_import
from coach.research.studies.locks import hold_study
from coach.research.studies.models import Study
from coach.research.studies.services import create_study
from coach.storage import Gone, places, storage
from coach.uploads.limits import disk_obstacle

log = logging.getLogger(__name__)

MOST_IMPORTS = 2
"""Limit of a person's running imports (rule of thumb): each may be a gigabyte, and take the worker
an hour."""
MOST_DOCUMENTS = 20
"""Limit of running transcripts and codebooks, which take seconds (rule of thumb)."""


@transaction.atomic
def ask_for_export(
    *,
    study: Study,
    researcher: User,
    recipient: str,
    purpose: str,
    agreement: str,
    formats: Sequence[str],
) -> Export:
    """Request a bundle; return the running one if there is one."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    going_on = study.exports.filter(state__in=Export.GOING_ON).first()
    if going_on is not None:
        return going_on
    export = Export.objects.create(
        study=study,
        asked_by=researcher,
        recipient=recipient,
        purpose=purpose,
        agreement=agreement,
        formats=sorted(formats),
        cut_off=study.cut_off or last_change(study),
    )
    record_act(
        action="research.bundle_asked",
        target=export,
        actor=researcher,
        study=study.slug,
        recipient=recipient,
        purpose=purpose,
    )
    transaction.on_commit(partial(enqueue, export.pk))
    return export


@transaction.atomic
def ask_for_import(
    *,
    researcher: User,
    name: str,
    path: Path,
    study: Study | None = None,
    language: str = "",
    declared: str = "",
    kind: str = BundleImport.Kind.PROJECT,
) -> BundleImport:
    """Have a worker read a file; a project without a study gets a new one.

    Raises ValidationError, StorageUnavailable and OSError, and saves nothing then.
    """
    # Locked, so that concurrent requests of a person see each other.
    User.objects.select_for_update(no_key=True).get(pk=researcher.pk)
    mine = BundleImport.objects.filter(asked_by=researcher, state__in=BundleImport.GOING_ON)
    _check_room(mine, kind)
    if obstacle := disk_obstacle(path.stat().st_size):
        raise ValidationError(obstacle)
    study = study or create_study(study=Study(title=name[:160]), lead=researcher)
    asked = BundleImport.objects.create(
        study=study,
        asked_by=researcher,
        name=name[-255:],
        language=language,
        declared=declared,
        kind=kind,
    )
    storage().keep(path, places.bundle(asked.pk))
    transaction.on_commit(partial(enqueue_import, asked.pk))
    return asked


def note_refused(*, study: Study, name: str, problem: NotATranscript, actor: User) -> None:
    """List a transcript that was refused when it was uploaded with others."""
    BundleImport.objects.create(
        study=study,
        asked_by=actor,
        name=name[-255:],
        kind=BundleImport.Kind.TRANSCRIPT,
        state=BundleImport.State.REFUSED,
        problems=[[problem.code, "", problem.what]],
        finished_at=timezone.now(),
    )


def _check_room(mine: QuerySet[BundleImport], kind: str) -> None:
    is_project = kind == BundleImport.Kind.PROJECT
    projects = mine.filter(kind=BundleImport.Kind.PROJECT)
    if is_project and projects.count() >= MOST_IMPORTS:
        raise ValidationError(
            _(
                "Two of your files are still being imported. Upload this one when one of "
                "them is finished."
            )
        )
    if not is_project and mine.count() >= MOST_DOCUMENTS:
        raise ValidationError(
            _("Several of your files are still being read. Upload this one when they are finished.")
        )


@transaction.atomic
def take_bundle(*, export: Export, researcher: User) -> Iterator[bytes]:
    """Return the bundle's bytes and record the download, since the link works once.

    Raises ValidationError, and StorageUnavailable, after which it can be downloaded later.
    """
    hold_study(export.study_id)
    held = Export.objects.select_for_update(of=("self",)).select_related("study").get(pk=export.pk)
    is_over = (held.expires_at or timezone.now()) < timezone.now()
    is_here = held.state == Export.State.DONE and not (held.removed_at or held.downloaded_at)
    if not is_here or is_over or has_withdrawn_people(held):
        raise ValidationError(
            _("This bundle has already been downloaded, or has expired. Request a new one.")
        )
    try:
        pieces = storage().read(places.bundle(held.pk))
    except Gone as gone:
        log.warning("the bundle of export %s is not in custody", held.pk)
        raise ValidationError(_("This bundle is no longer available. Request a new one.")) from gone
    held.downloaded_at, held.downloaded_by = timezone.now(), researcher
    held.save(update_fields=["downloaded_at", "downloaded_by"])
    record_act(
        action="research.bundle_downloaded", target=held, actor=researcher, sha256=held.sha256
    )
    return pieces
