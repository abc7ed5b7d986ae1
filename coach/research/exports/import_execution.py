"""Reading of an uploaded file by a worker, in one transaction."""

from __future__ import annotations

import logging
import uuid
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from coach.lib.files.full_disk import is_full
from coach.lib.files.scratch import scratch
from coach.lib.work import leases
from coach.lib.work.leases import Lease, LeaseLost, TimeLimit, heartbeat
from coach.lib.work.outages import retry_while_away
from coach.rehearsals.removals import remove_for_good
from coach.research.coding.interviews.reading import NotATranscript
from coach.research.coding.interviews.services import KEPT_DAYS, read_transcript
from coach.research.coding.models import UNSAID
from coach.research.exports.codebook_files import codes_in
from coach.research.exports.importing import NotABundle, load_bundle
from coach.research.exports.importing.refi import is_refi, load_refi
from coach.research.exports.models import BundleImport
from coach.storage import places, storage

log = logging.getLogger(__name__)

LIMIT_SECONDS = 3600.0
"""One that takes longer hangs (rule of thumb)."""


def execute_import(import_id: uuid.UUID) -> None:
    """Read the file if it is free. Safe to call any number of times, from any worker."""
    lease = retry_while_away(partial(leases.acquire, BundleImport.objects.all(), key=import_id))
    if lease is None:
        return
    with heartbeat(lease, TimeLimit(limit=LIMIT_SECONDS)):
        asked = BundleImport.objects.select_related("study", "asked_by").get(pk=import_id)
        if asked.attempts > settings.STAGE_MAX_ATTEMPTS:  # its workers died of it
            _end(lease, asked.pk, BundleImport.State.FAILED)
            return
        try:
            _load(asked, lease)
        except LeaseLost:
            log.warning("another worker has import %s now", import_id)
        except (NotABundle, NotATranscript) as problem:
            told = [_refusal(asked, problem)]
            _end(lease, asked.pk, BundleImport.State.REFUSED, problems=told)
        except Exception as problem:  # the row must not say for ever that it goes on
            log.exception("import %s failed", import_id)
            is_over = is_full(problem) or asked.attempts >= settings.STAGE_MAX_ATTEMPTS
            state = BundleImport.State.FAILED if is_over else BundleImport.State.QUEUED
            told = [["disk_full_import", "", ""]] if is_full(problem) else []
            retry_while_away(partial(_end, lease, asked.pk, state, problems=told))


def _load(asked: BundleImport, lease: Lease) -> None:
    with scratch() as place:
        path = place / "bundle"
        with path.open("wb") as file:
            for piece in storage().read(places.bundle(asked.pk)):
                file.write(piece)
        with transaction.atomic():
            done = _done(asked, path) | {"progress": 1}
            if not _end(lease, asked.pk, BundleImport.State.DONE, **done):
                raise LeaseLost  # and what was loaded here is taken back


def _refusal(asked: BundleImport, problem: NotABundle | NotATranscript) -> list[str]:
    """Return the code, place and value for the sentence on the page."""
    if isinstance(problem, NotATranscript):
        return [problem.code, "", problem.what]
    if asked.kind == BundleImport.Kind.CODEBOOK:
        return ["no_codes", asked.name, ""]
    return [problem.code, str(problem), ""]


def _done(asked: BundleImport, path: Path) -> dict[str, Any]:
    """Read the file; return the columns to save."""
    if asked.kind == BundleImport.Kind.TRANSCRIPT:
        read = read_transcript(
            study=asked.study, name=asked.name, content=path.read_bytes(), actor=asked.asked_by
        )
        return {"found": {"transcript": str(read.pk)}}
    if asked.kind == BundleImport.Kind.CODEBOOK:
        codes = codes_in(asked.name, path.read_bytes())
        return {"found": {"codes": [asdict(code) for code in codes]}}
    counts, told = _loaded(asked, path)
    return {"counts": counts, "problems": told}


def _loaded(asked: BundleImport, path: Path) -> tuple[dict[str, int], list[list[str]]]:
    """Import a bundle of ours, or another tool's project; return the counts and the problems."""
    if not is_refi(path):
        return load_bundle(study=asked.study, path=path, actor=asked.asked_by), []
    language = asked.language or UNSAID
    return load_refi(
        study=asked.study,
        path=path,
        actor=asked.asked_by,
        language=language,
        declared=asked.declared,
    )


@transaction.atomic
def _end(lease: Lease, import_id: uuid.UUID, state: str, **changes: object) -> bool:
    """End the import, return whether it was still ours; delete the upload unless it is retried."""
    now = timezone.now()
    ended = lease.row.update(
        state=state, lease=None, lease_until=None, finished_at=now, queued_at=now, **changes
    )
    if ended and state not in BundleImport.GOING_ON:
        remove_for_good(places.bundle_place(import_id))
    return bool(ended)


def stale() -> list[uuid.UUID]:
    """Return imports to enqueue again after a dead worker or a lost broker message."""
    return leases.stale_keys(BundleImport.objects.all())


def forget_documents() -> int:
    """Delete the rows of documents read days ago, since a file name may contain a person's name."""
    since = timezone.now() - timedelta(days=KEPT_DAYS)
    documents = BundleImport.objects.exclude(kind=BundleImport.Kind.PROJECT)
    return (
        documents.filter(finished_at__lt=since).exclude(state__in=BundleImport.GOING_ON).delete()[0]
    )
