"""Uploads until they become a rehearsal: begun, ended, kept, discarded, expired."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.selectors import hold_on
from coach.audit.services import record_act
from coach.lib.words.direction import without_turns
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.removals import remove_for_good, remove_upload
from coach.rehearsals.retention import upload_kept_until
from coach.storage import StorageUnavailable, storage
from coach.storage.port import PIECE_BYTES
from coach.uploads.quota import QuotaExceeded, upload_obstacle

log = logging.getLogger(__name__)

FORM_OVERHEAD_BYTES = 64 * 1024
"""A multipart request is a little longer than its file: field names, boundaries, other fields."""

SILENT_SECONDS = 60.0
"""Nothing was written for so long: the web process, which waits half of it, is gone."""

_TOLD_DAYS = 30
"""For so long the page says that an upload was deleted."""


class UploadGone(Exception):
    """It was discarded, deleted after its time, or its bytes are not in custody."""


class StillArriving(Exception):
    """Its sender has not ended, and has not been silent for long enough to be given up."""


def begin_upload(
    *,
    owner: User,
    name: str,
    expected_bytes: int | None,
    answers: Mapping[str, str] | None = None,
    resumable: str | None = None,
    capture: Mapping[str, bool] | None = None,
    meant_for: str = "",
) -> Upload:
    """A row for bytes that are about to arrive, with the form's answers that came before them.

    `resumable` is what the sender of a resumable one wrote of it; `capture` how it is recorded,
    where that happens here; `meant_for` what it is for where it becomes no take.
    """
    return Upload.objects.create(
        owner=owner,
        name=without_turns(name)[-255:],
        expected_bytes=expected_bytes,
        context=dict(answers or {}),
        is_resumable=resumable is not None,
        metadata=resumable or "",
        capture=dict(capture or {}),
        meant_for=meant_for,
    )


def admit_upload(
    *,
    owner: User,
    name: str,
    expected_bytes: int | None,
    answers: Mapping[str, str],
    resumable: str | None = None,
    capture: Mapping[str, bool] | None = None,
    meant_for: str = "",
) -> Upload:
    """Begin an upload of a person, where there is room for it. Raises QuotaExceeded."""
    with transaction.atomic():
        # Of several at the same moment each sees those before it.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        obstacle = upload_obstacle(
            owner=owner, expected_bytes=expected_bytes or 0, meant_for=meant_for
        )
        if obstacle:
            raise QuotaExceeded(obstacle)
        upload = begin_upload(
            owner=owner,
            name=name,
            expected_bytes=expected_bytes,
            answers=answers,
            resumable=resumable,
            capture=capture,
            meant_for=meant_for,
        )
    if resumable is None and not connection.in_atomic_block:
        # It takes minutes until the next query: a connection is not held for that.
        connection.close()
    return upload


def fill_upload(*, upload: Upload, recording: Path) -> None:
    """Bring a file of this machine, as a browser would."""
    intake = storage().receive(upload.pk)
    with recording.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            intake.write(piece)
    intake.close()


def finish_upload(
    *,
    upload: Upload,
    received_bytes: int,
    sha256: str,
    complete: bool,
    problem: str = Upload.Problem.NONE,
) -> None:
    """Note how an upload ended; a cut-off one is kept."""
    upload.received_bytes = received_bytes
    upload.sha256 = sha256
    upload.problem = problem
    upload.state = Upload.State.COMPLETE if complete else Upload.State.CUT_OFF
    upload.save(update_fields=["received_bytes", "sha256", "problem", "state", "updated_at"])
    if not complete:
        record_act(action="rehearsals.upload_cut_off", target=upload, actor=upload.owner)


def close_abandoned_uploads() -> int:
    """Keep what a web process was receiving when it or the database died; returns how many.

    All of it may be there: the sender had sent everything, and nobody was left to write it down.
    """
    quiet_since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    receiving = Upload.objects.filter(state=Upload.State.RECEIVING, created_at__lt=quiet_since)
    try:
        return sum(_close_if_silent(upload) for upload in receiving.select_related("owner"))
    except StorageUnavailable as problem:
        log.warning("uploads that broke off wait until custody answers: %s", problem)
        return 0


def _close_if_silent(upload: Upload) -> bool:
    if upload.is_resumable:
        return _pause_if_silent(upload)
    written = storage().last_written(upload.pk)
    if written is not None and time.time() - written <= SILENT_SECONDS:
        return False
    _close(upload, size=storage().settle(upload.pk) or 0)
    return True


@transaction.atomic
def _pause_if_silent(upload: Upload) -> bool:
    """Offer what came of a resumable one to its owner; whoever sends on finds it as it is."""
    held = Upload.objects.select_for_update(of=("self",)).select_related("owner")
    quiet_since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    found = held.filter(
        pk=upload.pk, state=Upload.State.RECEIVING, updated_at__lt=quiet_since
    ).first()
    if found is None or found.is_being_written:
        return False
    kept = storage().kept(found.pk)
    if not kept:
        remove_upload(found)
    else:
        whole = kept == found.expected_bytes
        finish_upload(upload=found, received_bytes=kept, sha256="", complete=whole)
    return True


def _close(upload: Upload, *, size: int) -> None:
    if not size:
        remove_upload(upload)
        return
    finish_upload(
        upload=upload,
        received_bytes=size,
        sha256="",
        complete=is_whole(received=size, request_bytes=upload.expected_bytes),
        problem=Upload.Problem.INTERRUPTED,
    )


def is_whole(*, received: int, request_bytes: int | None) -> bool:
    """Whether a file can be all that a request of this length had to bring."""
    return received > 0 and (request_bytes or 0) - received <= FORM_OVERHEAD_BYTES


def keep_context(*, upload: Upload, fields: dict[str, str]) -> None:
    """Keep the form's fields with a cut-off upload, so that it can go on from there."""
    upload.context = fields
    upload.save(update_fields=["context", "updated_at"])


@transaction.atomic
def discard_upload(*, upload: Upload) -> bool:
    """Throw away what arrived, on its owner's word; False where it is a take by now, or gone."""
    held = Upload.objects.select_for_update().filter(pk=upload.pk).first()
    if held is None or held.state == Upload.State.USED:
        return False
    record_act(action="rehearsals.upload_discarded", target=held, actor=held.owner)
    remove_upload(held)
    return True


@transaction.atomic
def complete_upload(*, upload: Upload) -> Upload:
    """The upload as it stands, with its size and hash.

    Raises UploadGone, StillArriving and StorageUnavailable.
    """
    return lock_upload(upload)


def lock_upload(upload: Upload) -> Upload:
    """The upload, held until the transaction ends, its size and hash known.

    Raises UploadGone, StillArriving and StorageUnavailable.
    What a dead process left, and what came in pieces, has no hash yet.
    """
    held = Upload.objects.select_for_update(of=("self",)).select_related("rehearsal")
    found = held.filter(pk=upload.pk).first()
    if found is None or found.state == Upload.State.EXPIRED:
        raise UploadGone
    if found.is_resumable and (found.state == Upload.State.RECEIVING or found.is_being_written):
        raise StillArriving
    if found.rehearsal is None and storage().settle(found.pk) is None:
        raise UploadGone
    if found.rehearsal is None and not found.sha256:
        found.received_bytes, found.sha256 = _measured(found)
        found.save(update_fields=["received_bytes", "sha256", "updated_at"])
    return found


def _measured(upload: Upload) -> tuple[int, str]:
    digest = hashlib.sha256()
    size = 0
    for piece in storage().read(storage().incoming(upload.pk)):
        digest.update(piece)
        size += len(piece)
    return size, digest.hexdigest()


def mark_used(*, upload: Upload, rehearsal: Rehearsal) -> None:
    """It is a rehearsal now."""
    upload.state = Upload.State.USED
    upload.rehearsal = rehearsal
    upload.save(update_fields=["state", "rehearsal", "updated_at"])


def expire_uploads() -> int:
    """Delete what waited for too long, told on the page before and after; returns how many."""
    now = timezone.now()
    waiting = Upload.objects.filter(state__in=Upload.WAITING).select_related("owner")
    late = [
        upload.pk
        for upload in waiting
        if upload_kept_until(upload) < now and hold_on(upload.owner) is None
    ]
    expired = sum(_expire(pk) for pk in late)
    told = now - timedelta(days=_TOLD_DAYS)
    Upload.objects.filter(state=Upload.State.EXPIRED, updated_at__lt=told).delete()
    return expired


@transaction.atomic
def _expire(pk: UUID) -> bool:
    waiting = Upload.objects.select_for_update(of=("self",)).select_related("owner")
    upload = waiting.filter(pk=pk, state__in=Upload.WAITING).first()
    if upload is None:
        return False
    upload.state = Upload.State.EXPIRED
    upload.save(update_fields=["state", "updated_at"])
    record_act(action="rehearsals.upload_expired", target=upload, actor=None)
    remove_for_good(storage().upload_place(upload.pk))
    return True
