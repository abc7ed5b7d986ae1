"""Services for uploads until they are used: admit, finish, discard, expire."""

from __future__ import annotations

import hashlib
import logging
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.selectors import hold_on
from coach.audit.services import record_act
from coach.lib.words.direction import without_turns
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.removals import remove_for_good, remove_upload
from coach.rehearsals.retention import upload_kept_until
from coach.storage import StorageUnavailable, storage
from coach.uploads.limits import QuotaExceeded, upload_obstacle

log = logging.getLogger(__name__)

SILENT_SECONDS = 60.0
"""The time without data after which the sender counts as disconnected; the web process waits for
half of it."""

_TOLD_DAYS = 30
"""The number of days that the page shows a deleted upload."""


class UploadGone(Exception):
    """An error: the upload was discarded or has expired, or its bytes are missing."""


class StillArriving(Exception):
    """An error: the upload is incomplete, and its sender may still be connected."""


def admit_upload(upload: Upload) -> Upload:
    """Save a new upload if its owner's quota allows it. Raises QuotaExceeded."""
    with transaction.atomic():
        # Parallel uploads of one owner wait for this lock, so that each counts the earlier ones.
        User.objects.select_for_update(no_key=True).get(pk=upload.owner_id)
        obstacle = upload_obstacle(
            owner=upload.owner,
            expected_bytes=upload.expected_bytes or 0,
            meant_for=upload.meant_for,
        )
        if obstacle:
            raise QuotaExceeded(obstacle)
        upload.name = without_turns(upload.name)[-255:]
        upload.save()
    return upload


def keep_file(*, upload: Upload, path: Path) -> None:
    """Store a whole file as the bytes of an upload; the caller saves the row next.

    Raises StorageUnavailable, and OSError if there is no space.
    """
    storage().keep(path, storage().incoming(upload.pk))
    upload.expected_bytes = upload.received_bytes = path.stat().st_size
    upload.state = Upload.State.COMPLETE


def finish_upload(
    *,
    upload: Upload,
    received_bytes: int,
    sha256: str,
    complete: bool,
) -> None:
    """Record the end of an upload; an interrupted one is kept."""
    upload.received_bytes = received_bytes
    upload.sha256 = sha256
    upload.state = Upload.State.COMPLETE if complete else Upload.State.CUT_OFF
    upload.save(update_fields=["received_bytes", "sha256", "state", "updated_at"])
    if not complete:
        record_act(action="rehearsals.upload_cut_off", target=upload, actor=upload.owner)


def close_abandoned_uploads() -> int:
    """Close uploads of disconnected senders, keeping the received bytes. Return the count."""
    quiet_since = timezone.now() - timedelta(seconds=SILENT_SECONDS)
    receiving = Upload.objects.filter(state=Upload.State.RECEIVING, updated_at__lt=quiet_since)
    try:
        return sum(_close_if_silent(upload) for upload in receiving)
    except StorageUnavailable as problem:
        log.warning("uploads that broke off wait until storage answers: %s", problem)
        return 0


@transaction.atomic
def _close_if_silent(upload: Upload) -> bool:
    """Close an abandoned upload, which its sender can still resume. Return whether it did."""
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


def keep_context(*, upload: Upload, fields: dict[str, str]) -> None:
    """Save the form's answers with an upload that is not a take yet."""
    upload.context = fields
    upload.save(update_fields=["context", "updated_at"])


@transaction.atomic
def discard_upload(*, upload: Upload) -> bool:
    """Delete an upload for its owner. Return False if it is already a take, or gone."""
    held = Upload.objects.select_for_update().filter(pk=upload.pk).first()
    if held is None or held.state == Upload.State.USED:
        return False
    record_act(action="rehearsals.upload_discarded", target=held, actor=held.owner)
    remove_upload(held)
    return True


def discard_others(*, upload: Upload) -> None:
    """Delete the owner's other uploads that did not become a take."""
    others = Upload.objects.filter(owner=upload.owner).exclude(pk=upload.pk)
    for other in others.exclude(state=Upload.State.USED):
        discard_upload(upload=other)


@transaction.atomic
def complete_upload(*, upload: Upload) -> Upload:
    """Return the upload with its size and hash.

    Raises UploadGone, StillArriving and StorageUnavailable.
    """
    return lock_upload(upload)


def lock_upload(upload: Upload) -> Upload:
    """Lock the upload until the transaction ends, and return it with its size and hash.

    Raises UploadGone, StillArriving and StorageUnavailable.
    """
    held = Upload.objects.select_for_update(of=("self",)).select_related("rehearsal", "owner")
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
    """Record the take that the upload became."""
    upload.state = Upload.State.USED
    upload.rehearsal = rehearsal
    upload.save(update_fields=["state", "rehearsal", "updated_at"])


def expire_uploads() -> int:
    """Delete uploads whose retention period is over. Return the count."""
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
