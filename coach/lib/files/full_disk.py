"""Full disks: told apart from other failures, and reported to the sender of a form."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import SkipFile, TemporaryFileUploadHandler
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from coach.lib.web.http import wants_json

log = logging.getLogger(__name__)

_Rest = ParamSpec("_Rest")
_Answers = Callable[Concatenate[HttpRequest, _Rest], HttpResponseBase]

_FULL = {errno.ENOSPC, errno.EDQUOT}
_DATABASE_IS_FULL = "53100"
"""`disk_full` of PostgreSQL, whose disk may be another; Django's own error is raised from it."""

NO_ROOM_STATUS = 507
"""Insufficient Storage: what the sending of recordings answers too."""


def is_full(problem: BaseException) -> bool:
    """Return whether a write failed for lack of space, so that an immediate retry would fail too.

    The full disk may be that of the storage, of temporary files or of the database.
    """
    if isinstance(problem, OSError):
        return problem.errno in _FULL
    return getattr(problem.__cause__, "sqlstate", None) == _DATABASE_IS_FULL


class ScratchUploadHandler(TemporaryFileUploadHandler):
    """Django's upload handler for temporary files, which skips a file for which there is no space.

    It reads the rest of the form, so that the sender gets an answer.
    """

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Open a temporary file, or skip the upload if there is no space."""
        try:
            settings.FILE_UPLOAD_TEMP_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
            super().new_file(*args, **kwargs)
        except OSError as problem:
            self._pass_over(problem)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Write a chunk at once: a buffered one would fail later, when no answer could be given."""
        try:
            super().receive_data_chunk(raw_data, start)
            self.file.flush()
        except OSError as problem:
            self._pass_over(problem)
        return None

    def file_complete(self, file_size: int) -> UploadedFile[Any] | None:
        """Return the complete file; None if it was skipped."""
        return super().file_complete(file_size) if hasattr(self, "file") else None

    def _pass_over(self, problem: OSError) -> None:
        if not is_full(problem):
            raise problem
        log.error("no room for a file of a form: %s", problem)
        if hasattr(self, "file"):
            with suppress(OSError):  # what waits to be written has no room either
                self.file.close()
            del self.file
        _note(self.request)
        raise SkipFile from problem


def _note(request: Any) -> None:
    request.lacked_room = True


class disk_full_middleware:  # noqa: N801  # middleware, named like the functions beside it
    """Middleware that answers a form whose file was skipped, and a page that failed, for lack of
    space.

    The form is answered before its view mistakes it for one without a file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, *_args: object, **_kwargs: object
    ) -> HttpResponseBase | None:
        """Answer a form with a skipped file; runs after the CSRF check, which reads the form."""
        # Upload views read their form themselves, straight into storage.
        if request.content_type != "multipart/form-data" or getattr(view, "csrf_exempt", False):
            return None
        request.POST  # noqa: B018  # read now where the token came in a header
        return _no_room(request) if getattr(request, "lacked_room", False) else None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """Answer a failure caused by a full disk; other exceptions pass."""
        return _no_room_after(exception, request) if is_full(exception) else None


def says_that_there_is_no_room(answers: _Answers[_Rest]) -> _Answers[_Rest]:
    """Answer failures caused by a full disk outside views, which the middleware does not see."""

    @wraps(answers)
    def answer(
        request: HttpRequest, /, *args: _Rest.args, **kwargs: _Rest.kwargs
    ) -> HttpResponseBase:
        try:
            return answers(request, *args, **kwargs)
        except OperationalError as problem:
            if not is_full(problem):
                raise
            return _no_room_after(problem, request)

    return answer


class SessionsThatFit(SessionMiddleware):
    """Django's session middleware, with a clear answer if the session cannot be saved for lack of
    space.

    It saves the session after the view has answered.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return the view's response, or the full-disk page if the session was not saved."""
        try:
            return super().process_response(request, response)
        except OperationalError as problem:
            if not is_full(problem):
                raise
            return _no_room_after(problem, request)


def _no_room_after(problem: Exception, request: HttpRequest) -> HttpResponse:
    log.error("no room for what %r does: %s", request.path, problem)
    return _no_room(request)


def no_room_for_form() -> str:
    """Return the sentence for a form whose file found no space on the disk."""
    return _(
        "The disk of this site is full: nothing of what you sent was kept. Send it again once "
        "your administrator has made room."
    )


def _no_room(request: HttpRequest) -> HttpResponse:
    if request.content_type == "multipart/form-data":
        sentence = no_room_for_form()
    else:
        sentence = _(
            "The disk of this site is full, so this could not be done. Try again once your "
            "administrator has made room."
        )
    if wants_json(request):
        return JsonResponse({"message": sentence}, status=NO_ROOM_STATUS)
    return render(request, "no_room.html", {"sentence": sentence}, status=NO_ROOM_STATUS)
