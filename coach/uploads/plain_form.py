"""Upload of a recording with a plain form, where the page's script does not run.

All other uploads use the tus server (`coach.uploads.tus`), which can resume.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.core.files.uploadhandler import SkipFile, StopUpload
from django.db import connection
from django.utils.translation import gettext as _

from analysis.backends.media.sniff import SNIFFED_BYTES
from coach.lib.files.full_disk import ScratchUploadHandler, no_room_for_form
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.models import Upload
from coach.rehearsals.removals import remove_for_good
from coach.storage import storage
from coach.uploads.limits import (
    QuotaExceeded,
    WrongKind,
    check_recording,
    size_obstacle,
    upload_obstacle,
)
from coach.uploads.services import admit_upload, keep_file

RECORDING_FIELD = "recording"

_FORM_BYTES = 1024 * 1024
"""An upper bound on the size of the form's other fields."""
_LITTLE_BYTES = 16 * 1024 * 1024
"""The size up to which a refused request is read to its end: a browser that is still sending does
not read the response."""


class RecordingUploadHandler(ScratchUploadHandler):
    """An upload handler that writes to a temporary file, or rejects a recording early.

    Django always deletes the temporary file at the end of the request. `problem` says why there
    is no recording.
    """

    def __init__(self, request: SignedInRequest, *, meant_for: str = "") -> None:
        super().__init__(request)
        self._owner, self._meant_for = request.user, meant_for
        self._request_bytes = 0
        self._head = b""
        self.problem = ""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803  # Django's name
        content_length: int,
        *_args: Any,
        **_kwargs: Any,
    ) -> None:
        """Remember the length of the request."""
        self._request_bytes = content_length

    def new_file(self, field_name: str, *args: Any, **kwargs: Any) -> None:
        """Create the temporary file if quota and disk space allow it."""
        if field_name != RECORDING_FIELD or hasattr(self, "file"):
            self._refuse(_("Choose a recording first."))
        obstacle = size_obstacle(self._request_bytes - _FORM_BYTES) or upload_obstacle(
            owner=self._owner, expected_bytes=self._request_bytes, meant_for=self._meant_for
        )
        if obstacle:
            self._refuse(obstacle)
        if not connection.in_atomic_block:
            # Receiving may take minutes: do not hold a connection for that.
            connection.close()
        try:
            super().new_file(field_name, *args, **kwargs)
        except SkipFile:
            self._refuse(no_room_for_form())

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Write a chunk, after checking the file type by the first bytes."""
        if len(self._head) < SNIFFED_BYTES:
            self._head += raw_data
            if len(self._head) >= SNIFFED_BYTES:
                self._judge()
        try:
            return super().receive_data_chunk(raw_data, start)
        except SkipFile:
            self._refuse(no_room_for_form())

    def file_complete(self, file_size: int) -> UploadedFile[Any] | None:
        """Return the temporary file; the type of a short one is checked only now."""
        if 0 < file_size < SNIFFED_BYTES:
            self._judge()
        return super().file_complete(file_size)

    def upload_interrupted(self) -> None:
        """Delete the received part: the sender disconnected in the middle of the file."""
        self.problem = _(
            "The upload stopped before it was complete, so nothing was saved. Please try again."
        )
        super().upload_interrupted()

    def _judge(self) -> None:
        try:
            check_recording(self._head)
        except WrongKind as problem:
            self._refuse(problem.sentence)

    def _refuse(self, sentence: str) -> NoReturn:
        self.problem = sentence
        raise StopUpload(connection_reset=self._request_bytes > _LITTLE_BYTES)


def receive_with(request: SignedInRequest, *, meant_for: str = "") -> RecordingUploadHandler:
    """Install our upload handler for the form of this request, and return it.

    The view must be `csrf_exempt` and call a `csrf_protect` one, because the check reads the form.
    """
    handler = RecordingUploadHandler(request, meant_for=meant_for)
    request.upload_handlers = [handler]
    return handler


def store_recording(
    request: SignedInRequest,
    recording: TemporaryUploadedFile,
    *,
    answers: dict[str, str] | None = None,
    meant_for: str = "",
) -> Upload:
    """Store a received recording as an upload of the user.

    Its bytes are stored first: a crash leaves a file without a row, which the sweep removes.
    Raises QuotaExceeded, StorageUnavailable, and OSError if there is no space.
    """
    upload = Upload(
        owner=request.user,
        name=recording.name or RECORDING_FIELD,
        context=answers or {},
        meant_for=meant_for,
    )
    keep_file(upload=upload, path=Path(recording.temporary_file_path()))
    try:
        # Checked again: other uploads of the user may have arrived in the meantime.
        return admit_upload(upload)
    except QuotaExceeded:
        remove_for_good(storage().upload_place(upload.pk))
        raise
