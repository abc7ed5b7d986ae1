"""Receives a recording straight into storage, and keeps what arrived when the sender goes away."""

from __future__ import annotations

import hashlib
import io
import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.http.multipartparser import MultiPartParser
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.datastructures import MultiValueDict

from analysis.backends.media.sniff import SNIFFED_BYTES, check_kind
from analysis.errors import AnalysisError
from coach.lib.files.full_disk import is_full
from coach.lib.words.sentences import note_of, whole
from coach.rehearsals.models import Upload
from coach.rehearsals.removals import remove_upload
from coach.storage import StorageUnavailable, UploadWriter, storage
from coach.uploads.services import finish_upload, is_whole

log = logging.getLogger(__name__)

RECORDING_FIELD = "recording"

_LITTLE_BYTES = 16 * 1024 * 1024
"""What is left of a refused request is read to its end if it is no more than this: a browser that
is still sending does not read the refusal."""


class WrongKind(Exception):
    """What arrives is no recording; why, in words."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def check_recording(head: bytes) -> None:
    """Judge by the first bytes. Raises WrongKind."""
    try:
        check_kind(head)
    except AnalysisError as problem:
        raise WrongKind(whole(note_of(problem))) from problem


class ReceivedRecording(UploadedFile[bytes]):
    """What the form gets in place of a temporary file: the bytes already lie in custody."""

    def __init__(self, upload: Upload, content_type: str | None) -> None:
        super().__init__(
            file=io.BytesIO(),  # nobody reads it from here
            name=upload.name,
            content_type=content_type,
            size=upload.received_bytes,
        )
        self.upload = upload


class KeepingUploadHandler(FileUploadHandler):
    """Streams the recording into storage in constant memory, hashing it on the way.

    `admit` is asked once a file starts, with its name and the form's answers that stand before it:
    it makes the row, or raises and nothing is stored.
    """

    # Small, so that little of a broken upload is lost, and a slow one is seen to be alive.
    chunk_size = 64 * 1024

    def __init__(self, admit: Callable[[str, QueryDict], Upload]) -> None:
        super().__init__()
        self._admit = admit
        self._request_bytes = 0
        self._intake: UploadWriter | None = None
        self._hash = hashlib.sha256()
        self._head: bytes | None = b""
        self._received = 0
        self.answers: Callable[[], QueryDict] = QueryDict
        self.upload: Upload | None = None
        self.wrong_kind = ""
        self.is_away = False
        """Nothing could be kept, because the place for recordings did not answer."""

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
        """Open it in storage; other file fields do not exist here."""
        super().new_file(*args, **kwargs)
        if self.field_name != RECORDING_FIELD or self.upload is not None:
            raise StopUpload(connection_reset=True)
        self.upload = self._admit(self.file_name or "recording", self.answers())
        self._intake = storage().receive(self.upload.pk)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Write one chunk; nothing goes on to other handlers."""
        if self._intake is None:
            return raw_data
        self._judge(raw_data)
        try:
            self._intake.write(raw_data)
        except (OSError, StorageUnavailable) as problem:
            self._stop_writing(problem)
        self._hash.update(raw_data)
        self._received += len(raw_data)
        return None

    def _judge(self, piece: bytes) -> None:
        """Refuse what is no recording as soon as enough of it is there."""
        if self._head is None:
            return
        self._head += piece
        if len(self._head) >= SNIFFED_BYTES:
            self._refuse_wrong_kind()
            self._head = None

    def _refuse_wrong_kind(self) -> None:
        try:
            check_recording(self._head or b"")
        except WrongKind as problem:
            self._drop()
            self.wrong_kind = problem.sentence
            raise StopUpload(connection_reset=self._request_bytes > _LITTLE_BYTES) from problem

    def _drop(self) -> None:
        self._shut()
        if self.upload is not None:
            remove_upload(self.upload)
            self.upload = None

    def _shut(self) -> bool:
        """Let go of it; False where not all of it could be made sure of now."""
        intake, self._intake = self._intake, None
        try:
            if intake is not None:
                intake.close()
        except (OSError, StorageUnavailable) as problem:
            log.error("the end of an upload waits in custody: %s", problem)  # noqa: TRY400
            return False
        return True

    def _stop_writing(self, problem: Exception) -> None:
        log.error("an upload stopped after %d bytes: %s", self._received, problem)
        why = Upload.Problem.DISK_FULL if is_full(problem) else Upload.Problem.INTERRUPTED
        self._close(complete=False, problem=why)
        raise StopUpload(connection_reset=self._request_bytes > _LITTLE_BYTES) from problem

    def file_complete(self, file_size: int) -> ReceivedRecording | None:
        """The part ended; whether the sender meant it to is judged by the request's length."""
        if self.upload is None or self._intake is None:
            return None
        if self._head:
            self._refuse_wrong_kind()
        if not file_size:
            self._drop()
            return None
        self._close(complete=is_whole(received=file_size, request_bytes=self._request_bytes))
        if self.is_away:
            return None
        return ReceivedRecording(self.upload, self.content_type)

    def upload_interrupted(self) -> None:
        """The sender went away in the middle of the file."""
        self.keep_what_arrived()

    def keep_what_arrived(self) -> None:
        """Close the file as cut off, if it is still open."""
        if self._intake is not None and not self._received:
            self._drop()
        elif self._intake is not None:
            self._close(complete=False)

    def _close(self, *, complete: bool, problem: str = Upload.Problem.NONE) -> None:
        if self.upload is None or self._intake is None:
            return
        intake = self._intake
        is_sure = self._shut()
        if not is_sure and not intake.kept:
            self.is_away = True
            self._drop()
            return
        finish_upload(
            upload=self.upload,
            received_bytes=self._received if is_sure else intake.kept,
            # What could not be made sure of is measured anew once somebody goes on with it.
            sha256=self._hash.hexdigest() if is_sure else "",
            complete=complete and is_sure,
            problem=problem if is_sure else problem or Upload.Problem.INTERRUPTED,
        )


class CsrfFailed(Exception):
    """The form does not come from a page of ours; the answer to that."""

    def __init__(self, answer: HttpResponseBase) -> None:
        super().__init__()
        self.answer = answer


def check_sender(request: HttpRequest, answers: QueryDict) -> None:
    """The CSRF check with what stands before the file in the form. Raises CsrfFailed."""
    form: Any = request  # what `request.POST` gives, as far as it arrived
    form._post, form._files = answers, MultiValueDict()  # noqa: SLF001
    check = CsrfViewMiddleware(_nothing)
    check.process_request(request)
    refusal = check.process_view(request, _nothing, (), {})
    if refusal is not None:
        raise CsrfFailed(refusal)


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def receive(request: HttpRequest, handler: KeepingUploadHandler) -> None:
    """Read the request's form into `request.POST` and `request.FILES`, its recording into custody.

    Django's own way of doing this keeps the answers to itself until the last byte has come, and so
    loses them where it does not. Raises what `admit` raises, WrongKind, StorageUnavailable, and
    what reading raises.
    """
    if request.content_type != "multipart/form-data":
        return
    parser = MultiPartParser(
        request.META, request, [handler], request.encoding or settings.DEFAULT_CHARSET
    )
    handler.answers = lambda: _answers_of(parser)
    read: Any = request  # what `request.POST` and `request.FILES` give from now on
    try:
        read._post, read._files = parser.parse()  # noqa: SLF001
    except BaseException:
        read._post, read._files = _answers_of(parser), MultiValueDict()  # noqa: SLF001
        raise
    if handler.wrong_kind:
        raise WrongKind(handler.wrong_kind)
    if handler.is_away:
        raise StorageUnavailable(f"nothing of {handler.file_name} could be kept")


def _answers_of(parser: MultiPartParser) -> QueryDict:
    """The fields that it has read so far."""
    answers: QueryDict = getattr(parser, "_post", None) or QueryDict()
    return answers
