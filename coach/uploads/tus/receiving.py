"""Receiver of resumable uploads: one writer at a time, in constant memory.

The offset comes from the storage, never from a row: after any crash, the next request
continues after the last byte. A lease on the row keeps two requests from writing at once. It is
renewed while bytes arrive, so a dead connection blocks its own sender for seconds only.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.backends.media.sniff import SNIFFED_BYTES
from coach.accounts.models import User
from coach.lib.files.full_disk import NO_ROOM_STATUS, is_full
from coach.lib.work.database_clock import database_now
from coach.rehearsals.models import Upload
from coach.rehearsals.removals import remove_upload
from coach.rehearsals.selectors import all_uploads_for
from coach.storage import Gone, StorageUnavailable, UploadWriter, storage
from coach.uploads.limits import (
    QuotaExceeded,
    WrongKind,
    check_recording,
    disk_obstacle,
    quota_obstacle,
    size_obstacle,
)
from coach.uploads.tus.protocol import CHECKSUM_MISMATCH, Checksum, Refusal

log = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
"""The time without a byte after which another request may write; also the time that we wait for a
restarting store."""

_RENEW_SECONDS = 4.0
_READ_BYTES = 64 * 1024
_IN_MEMORY_BYTES = 1024 * 1024
"""The size up to which a piece with a checksum is held in memory; a larger one goes to the scratch
directory."""


class _Source(Protocol):
    def read(self, size: int, /) -> bytes:
        """Return the next bytes, or empty bytes at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of an upload in one request."""

    offset: int
    length: int
    body: _Source
    total: int | None = None
    """The size of the whole upload, if the sender states it only now."""
    checksum: Checksum | None = None


def open_upload(*, owner: User, upload_id: UUID) -> Upload:
    """Return a resumable upload of this owner. Raises Refusal if it is missing or over."""
    upload = all_uploads_for(owner).filter(pk=upload_id, is_resumable=True).first()
    if upload is None:
        raise Refusal(404, _("There is no such upload."))
    return _still_open(upload)


def _still_open(upload: Upload) -> Upload:
    if upload.state in {Upload.State.USED, Upload.State.EXPIRED}:
        raise Refusal(410, _("This upload is over: it became a take, or its time was over."))
    return upload


def offset_of(upload: Upload) -> int:
    """Return the offset to continue from.

    Raises Refusal while another request writes, WrongKind, StorageUnavailable.
    """
    if upload.state == Upload.State.COMPLETE:
        return upload.received_bytes
    if upload.is_being_written:
        raise _busy()
    kept = storage().kept(upload.pk)
    if kept and kept == upload.expected_bytes:
        # The request with the last byte died before it could record that.
        try:
            _finish(upload, kept)
        except WrongKind:
            remove_upload(upload)
            raise
    return kept


def append(*, owner: User, upload_id: UUID, piece: Piece) -> Upload:
    """Write a piece after the stored bytes, and return the upload with its new offset.

    The received bytes of an interrupted piece are kept, unless it has a checksum. Raises
    Refusal, QuotaExceeded, WrongKind and StorageUnavailable.
    """
    upload = _begin_writing(owner=owner, upload_id=upload_id, piece=piece)
    if upload.state == Upload.State.COMPLETE:
        return upload
    lease = _Lease(upload)
    try:
        _check(upload, piece)
        _keep(upload, lease, piece)
    finally:
        # If the database is unavailable, the lease expires by itself.
        with suppress(OperationalError, InterfaceError):
            lease.give_back()
    upload.received_bytes, upload.written_until = lease.kept, None
    return upload


@transaction.atomic
def _begin_writing(*, owner: User, upload_id: UUID, piece: Piece) -> Upload:
    held = (
        all_uploads_for(owner).select_for_update().filter(pk=upload_id, is_resumable=True).first()
    )
    if held is None:
        raise Refusal(404, _("There is no such upload."))
    _still_open(held)
    if held.is_being_written:
        raise _busy()
    if piece.total is not None and held.expected_bytes not in {None, piece.total}:
        raise Refusal(400, _("Upload-Length was said before, and was another."))
    if held.state == Upload.State.COMPLETE:
        if (piece.offset, piece.length) != (held.received_bytes, 0):
            raise _elsewhere()
        return held
    if piece.total is not None:
        held.expected_bytes = piece.total
    held.state, held.problem = Upload.State.RECEIVING, Upload.Problem.NONE
    held.writer, held.written_until = uuid.uuid4(), _lease_end()
    held.save()
    return held


def _check(upload: Upload, piece: Piece) -> None:
    """Check the offset, the announced size and the free space. Raises Refusal, QuotaExceeded."""
    if storage().kept(upload.pk) != piece.offset:
        raise _elsewhere()
    total, end = upload.expected_bytes, piece.offset + piece.length
    obstacle = size_obstacle(end if total is None else total)
    if obstacle:
        raise Refusal(413, obstacle)
    if total is not None and end > total:
        raise Refusal(413, _("This is more than was announced. Nothing of it was kept."))
    obstacle = disk_obstacle(piece.length)
    if obstacle and piece.offset:
        # A part is stored, so we must not say that nothing was sent.
        raise Refusal(NO_ROOM_STATUS, no_room_words())
    if not obstacle and total is None:
        obstacle = quota_obstacle(owner=upload.owner, expected_bytes=piece.length)
    if obstacle:
        raise QuotaExceeded(obstacle)


def _keep(upload: Upload, lease: _Lease, piece: Piece) -> None:
    with ExitStack() as spools:
        body = piece.body
        if piece.checksum is not None:
            body = _verified(piece, piece.checksum, lease, spools)
        _write(upload, lease, piece, _pieces(body, piece.length))


def _write(upload: Upload, lease: _Lease, piece: Piece, pieces: Iterator[bytes]) -> None:
    writer = _resumed(upload)
    try:
        poured = _pour(pieces, writer, lease, judges=piece.offset == 0)
        lease.kept = piece.offset + poured
        if lease.kept == upload.expected_bytes:
            writer.close()
            _finish(upload, lease.kept)
        else:
            writer.pause()
    except WrongKind:
        _let_go(writer)
        remove_upload(upload)
        raise
    except Exception as problem:
        _let_go(writer)
        lease.kept = writer.kept
        if is_full(problem):
            log.error("no room for more of an upload after %d bytes", writer.kept)  # noqa: TRY400
            raise Refusal(NO_ROOM_STATUS, no_room_words()) from problem
        raise


def _resumed(upload: Upload) -> UploadWriter:
    try:
        return storage().resume(upload.pk)
    except Gone as error:
        raise Refusal(410, _("This upload was closed. Please send the file again.")) from error


def _let_go(writer: UploadWriter) -> None:
    with suppress(OSError, StorageUnavailable):
        writer.pause()


def _pour(pieces: Iterator[bytes], writer: UploadWriter, lease: _Lease, *, judges: bool) -> int:
    """Write the pieces and return their total size. Raises WrongKind for a non-recording."""
    head, poured = b"", 0
    for piece in pieces:
        lease.renew()
        writer.write(piece)
        poured += len(piece)
        if judges:
            head += piece
            if len(head) >= SNIFFED_BYTES:
                check_recording(head)
                judges = False
    return poured


def _pieces(body: _Source, length: int) -> Iterator[bytes]:
    """Yield the received bytes; a disconnecting sender ends them early."""
    left = length
    while left:
        try:
            piece = body.read(min(_READ_BYTES, left))
        except OSError as problem:
            log.info("an upload paused with %d bytes to come: %s", left, problem)
            return
        if not piece:
            return
        left -= len(piece)
        yield piece


def _verified(piece: Piece, checksum: Checksum, lease: _Lease, spools: ExitStack) -> _Source:
    """Return the whole piece if its checksum is right. Raises Refusal."""
    settings.SCRATCH_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
    spool = spools.enter_context(
        tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES, dir=str(settings.SCRATCH_DIR))  # noqa: SIM115
    )
    digest = hashlib.new(checksum.algorithm, usedforsecurity=False)
    for some in _pieces(piece.body, piece.length):
        lease.renew()
        digest.update(some)
        spool.write(some)
    if not hmac.compare_digest(digest.digest(), checksum.digest):
        raise Refusal(
            CHECKSUM_MISMATCH, _("The uploaded data does not match its checksum. Send it again.")
        )
    spool.seek(0)
    return spool


def _finish(upload: Upload, size: int) -> None:
    """Record that the upload is complete. Raises WrongKind and StorageUnavailable."""
    storage().settle(upload.pk)
    head = b"".join(storage().read(storage().incoming(upload.pk), length=SNIFFED_BYTES))
    check_recording(head)
    upload.state, upload.received_bytes = Upload.State.COMPLETE, size
    # If it is already a take, it stays one.
    Upload.objects.filter(pk=upload.pk).exclude(state=Upload.State.USED).update(
        state=upload.state, received_bytes=size, sha256="", updated_at=timezone.now()
    )


class _Lease:
    """A request's exclusive right to write to an upload."""

    def __init__(self, upload: Upload) -> None:
        self._mine = Upload.objects.filter(pk=upload.pk, writer=upload.writer)
        self._renewed_at = time.monotonic()
        self.kept = upload.received_bytes

    def renew(self) -> None:
        """Renew the lease periodically. Raises Refusal if another request has it now."""
        if time.monotonic() - self._renewed_at < _RENEW_SECONDS:
            return
        if not self._mine.update(written_until=_lease_end(), updated_at=timezone.now()):
            raise _busy()
        self._renewed_at = time.monotonic()
        if not connection.in_atomic_block:
            # Receiving may take minutes: do not hold a connection for that.
            connection.close()

    def give_back(self) -> None:
        """Release the lease and store the offset."""
        now = timezone.now()
        self._mine.update(writer=None, written_until=None, received_bytes=self.kept, updated_at=now)


def _lease_end() -> datetime:
    return database_now() + timedelta(seconds=LEASE_SECONDS)


def _busy() -> Refusal:
    return Refusal(423, _("Part of this recording is being uploaded. Try again in a moment."))


def _elsewhere() -> Refusal:
    return Refusal(
        409,
        _("The upload is at a different offset. Request the current offset and continue there."),
    )


def no_room_words() -> str:
    """Return the sentence that the disk is full and the uploaded part is saved."""
    return _(
        "The disk of this site is full. The uploaded part is saved; continue when there is "
        "space again."
    )
