"""Uploads until they become a rehearsal: begun, ended, kept, discarded, expired."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.room import NoRoom, upload_obstacle

FORM_OVERHEAD_BYTES = 64 * 1024
"""A multipart request is a little longer than its file: field names, boundaries, other fields."""

SILENT_SECONDS = 60.0
"""Nothing was written for so long: the web process, which waits half of it, is gone."""

_TOLD_DAYS = 30
"""For so long the page says that an upload was deleted."""

_PIECE_BYTES = 1024 * 1024


class UploadGone(Exception):
    """It was discarded, deleted after its time, or its bytes are not on the disk."""


def begin_upload(
    *, owner: User, name: str, expected_bytes: int | None, answers: dict[str, str] | None = None
) -> Upload:
    """A row for bytes that are about to arrive, with the form's answers that came before them."""
    return Upload.objects.create(
        owner=owner, name=name[-255:], expected_bytes=expected_bytes, context=answers or {}
    )


def admit_upload(
    *, owner: User, name: str, expected_bytes: int | None, answers: dict[str, str]
) -> Upload:
    """Begin an upload of a person, where there is room for it. Raises NoRoom."""
    with transaction.atomic():
        # Of several at the same moment each sees those before it.
        User.objects.select_for_update(no_key=True).get(pk=owner.pk)
        obstacle = upload_obstacle(owner=owner, expected_bytes=expected_bytes or 0)
        if obstacle:
            raise NoRoom(obstacle)
        upload = begin_upload(
            owner=owner, name=name, expected_bytes=expected_bytes, answers=answers
        )
    if not connection.in_atomic_block:
        # It takes minutes until the next query: a connection is not held for that.
        connection.close()
    return upload


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
    closed = 0
    receiving = Upload.objects.filter(state=Upload.State.RECEIVING).select_related("owner")
    for upload in receiving:
        written = upload.path.stat().st_mtime if upload.path.exists() else 0.0
        silent = time.time() - max(written, upload.created_at.timestamp())
        if silent > SILENT_SECONDS:
            _close(upload, size=upload.path.stat().st_size if written else 0)
            closed += 1
    return closed


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


def remove_upload(upload: Upload) -> None:
    """Delete the row, and the bytes once that is certain."""
    path = upload.path
    upload.delete()
    transaction.on_commit(lambda: path.unlink(missing_ok=True))


@transaction.atomic
def complete_upload(*, upload: Upload) -> Upload:
    """The upload as it stands, with its size and hash. Raises UploadGone."""
    return hold_upload(upload)


def hold_upload(upload: Upload) -> Upload:
    """The upload, held until the transaction ends, its size and hash known. Raises UploadGone.

    What a dead process left has no hash yet.
    """
    held = Upload.objects.select_for_update(of=("self",)).select_related("rehearsal")
    found = held.filter(pk=upload.pk).first()
    if found is None or found.state == Upload.State.EXPIRED:
        raise UploadGone
    if found.rehearsal is None and not found.path.exists():
        raise UploadGone
    if found.rehearsal is None and not found.sha256:
        found.received_bytes, found.sha256 = _measured(found.path)
        found.save(update_fields=["received_bytes", "sha256", "updated_at"])
    return found


def _measured(path: Path) -> tuple[int, str]:
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            digest.update(piece)
            size += len(piece)
    return size, digest.hexdigest()


def take_bytes(source: Path, target: Path) -> None:
    """Give the bytes a second name, and take the first away once the transaction stands.

    Whatever happens in between, one of the two names is known to the database; the sweeper of
    `custody` removes the other. A file system that knows no second names gets a copy.
    """
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
    transaction.on_commit(lambda: source.unlink(missing_ok=True))


def mark_used(*, upload: Upload, rehearsal: Rehearsal) -> None:
    """It is a rehearsal now."""
    upload.state = Upload.State.USED
    upload.rehearsal = rehearsal
    upload.save(update_fields=["state", "rehearsal", "updated_at"])


def expire_uploads() -> int:
    """Delete what waited for too long, told on the page before and after; returns how many."""
    now = timezone.now()
    waiting = Upload.objects.filter(state__in=Upload.WAITING)
    late = [upload.pk for upload in waiting if upload.kept_until < now]
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
    path = upload.path
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
    return True
