"""Receives a recording straight into custody, and keeps what arrived when the sender goes away."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload

from coach.rehearsals.models import Upload

RECORDING_FIELD = "recording"
# A multipart request is a little longer than its file: field names, boundaries and the other
# fields of our form, which are limited to a few hundred characters each.
_FORM_OVERHEAD_BYTES = 64 * 1024


class ReceivedRecording(UploadedFile[bytes]):
    """What the form gets in place of a temporary file: the bytes already lie in custody."""

    def __init__(self, upload: Upload, file: IO[bytes], content_type: str | None) -> None:
        super().__init__(
            file=file, name=upload.name, content_type=content_type, size=upload.received_bytes
        )
        self.upload = upload


class KeepingUploadHandler(FileUploadHandler):
    """Streams the recording to disk in constant memory, hashing it on the way.

    `begin` makes the Upload row once a file starts; `finish` is told how it ended.
    """

    chunk_size = 1024 * 1024

    def __init__(
        self,
        *,
        begin: Callable[[str, int | None], Upload],
        finish: Callable[[Upload, int, str, bool], None],
    ) -> None:
        super().__init__()
        self._begin = begin
        self._finish = finish
        self._request_bytes: int | None = None
        self._file: IO[bytes] | None = None
        self._hash = hashlib.sha256()
        self._received = 0
        self.upload: Upload | None = None

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803  # Django's name
        content_length: int,
        *_args: Any,
        **_kwargs: Any,
    ) -> None:
        """Remember how long the whole request claims to be."""
        self._request_bytes = content_length

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Open the file in custody; other file fields do not exist here."""
        super().new_file(*args, **kwargs)
        if self.field_name != RECORDING_FIELD or self.upload is not None:
            raise StopUpload(connection_reset=True)
        self.upload = self._begin(self.file_name or "recording", self._request_bytes)
        self.upload.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = self.upload.path.open("wb")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Write one chunk; nothing goes on to other handlers."""
        if self._file is None:
            return raw_data
        self._file.write(raw_data)
        self._hash.update(raw_data)
        self._received += len(raw_data)
        return None

    def file_complete(self, file_size: int) -> ReceivedRecording | None:
        """The part ended; whether the sender meant it to is judged by the request's length."""
        if self.upload is None or self._file is None:
            return None
        missing = (self._request_bytes or 0) - file_size
        self._close(complete=missing <= _FORM_OVERHEAD_BYTES)
        return ReceivedRecording(self.upload, self.upload.path.open("rb"), self.content_type)

    def upload_interrupted(self) -> None:
        """The sender went away in the middle of the file."""
        self.keep_what_arrived()

    def keep_what_arrived(self) -> None:
        """Close the file as cut off, if it is still open."""
        if self._file is not None:
            self._close(complete=False)

    def _close(self, *, complete: bool) -> None:
        if self.upload is None or self._file is None:
            return
        self._file.close()
        self._file = None
        self._finish(self.upload, self._received, self._hash.hexdigest(), complete)
