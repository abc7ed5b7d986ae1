"""Views of the tus protocol's two URLs: one creates uploads, one serves each upload."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.urls import reverse
from django.utils.http import http_date
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from coach.lib.files.full_disk import NO_ROOM_STATUS, is_full
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.models import Upload
from coach.rehearsals.retention import upload_kept_until
from coach.storage import StorageUnavailable
from coach.storage.unavailable import AWAY_SENTENCE
from coach.uploads.limits import UploadRefused, size_obstacle
from coach.uploads.services import admit_upload, discard_upload
from coach.uploads.tus import protocol
from coach.uploads.tus.protocol import Refusal
from coach.uploads.tus.receiving import Piece, append, no_room_words, offset_of, open_upload

log = logging.getLogger(__name__)

_Rest = ParamSpec("_Rest")
_View = Callable[Concatenate[SignedInRequest, str, _Rest], HttpResponse]
_Answers = Callable[Concatenate[HttpRequest, _Rest], HttpResponseBase]


class _Check(CsrfViewMiddleware):
    """A CSRF check that returns the reason instead of a page, for programs."""

    def _reject(self, _request: HttpRequest, reason: str) -> Any:
        return reason


def speaks_tus(view: _View[_Rest]) -> _Answers[_Rest]:
    """Decorate a view with method override, permission checks and the protocol's responses."""

    @csrf_exempt  # checked below, with a machine-readable answer
    @wraps(view)
    def answer(
        request: SignedInRequest, /, *args: _Rest.args, **kwargs: _Rest.kwargs
    ) -> HttpResponseBase:
        method = _method_of(request)
        response: HttpResponse
        try:
            if method != "OPTIONS":
                _let_in(request, method)
            response = _options() if method == "OPTIONS" else view(request, method, *args, **kwargs)
        except Refusal as refusal:
            response = _said(refusal.sentence, refusal.status)
        except UploadRefused as problem:
            response = _said(problem.sentence, 422)
        except (OperationalError, InterfaceError, StorageUnavailable) as problem:
            response = _broke_off(problem)
        if method == "HEAD":
            response.content = b""
        response.headers["Tus-Resumable"] = protocol.VERSION
        response.headers["Cache-Control"] = "no-store"
        if response.status_code == 412:
            response.headers["Tus-Version"] = protocol.VERSION
        return response

    return answer  # type: ignore[return-value]  # a request is a SignedInRequest once it is let in


def _broke_off(problem: Exception) -> HttpResponse:
    if isinstance(problem, StorageUnavailable):
        log.error("recordings cannot be reached: %s", problem)
        return _said(str(AWAY_SENTENCE), 503)
    if is_full(problem):
        return _said(no_room_words(), NO_ROOM_STATUS)
    return _said(_("Something failed on our side. The uploaded part is saved."), 503)


def _method_of(request: HttpRequest) -> str:
    """Return the method, or its override for clients whose network only allows POST."""
    if request.method != "POST":
        return request.method or ""
    return request.headers.get("X-HTTP-Method-Override", "POST").upper()


def _let_in(request: SignedInRequest, method: str) -> None:
    if not request.user.is_authenticated:
        raise Refusal(401, _("You are signed out. Sign in again to resume the upload."))
    if request.content_type not in {"", "text/plain", protocol.PIECE_TYPE}:
        # The check below would read a form completely.
        raise Refusal(415, _("A piece is sent as application/offset+octet-stream."))
    if method not in {"HEAD", "GET"}:
        check = _Check(_nothing)
        check.process_request(request)
        if check.process_view(request, _nothing, (), {}) is not None:
            raise Refusal(403, _("You signed in again in the meantime. Reload this page."))
    if request.headers.get("Tus-Resumable") != protocol.VERSION:
        raise Refusal(412, _("This address speaks tus, version 1.0.0."))


def _nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def _said(sentence: str, status: int) -> HttpResponse:
    return JsonResponse({"message": sentence}, status=status)


def _options() -> HttpResponse:
    headers = {
        "Tus-Version": protocol.VERSION,
        "Tus-Extension": ",".join(protocol.EXTENSIONS),
        "Tus-Max-Size": str(settings.MAX_UPLOAD_BYTES),
        "Tus-Checksum-Algorithm": ",".join(protocol.ALGORITHMS),
    }
    return HttpResponse(status=204, headers=headers)


@speaks_tus
def uploads(request: SignedInRequest, method: str) -> HttpResponse:
    """Begin an upload of a take, optionally with its first piece."""
    if not request.user.can_practise:
        raise Refusal(403, _("Practising is for trainees. Ask your administrator."))
    return begin(request, method)


def begin(request: SignedInRequest, method: str, *, meant_for: str = "") -> HttpResponse:
    """Begin an upload of a take, or for the purpose `meant_for`. The caller checks permissions."""
    if method != "POST":
        raise Refusal(405, _("An upload begins with POST."))
    total, metadata = protocol.total_in(request.headers), protocol.metadata_in(request.headers)
    if total == 0:
        raise Refusal(422, _("This file is empty (0 bytes). Record or export it again."))
    obstacle = size_obstacle(total or 0)
    if obstacle:
        raise Refusal(413, obstacle)
    upload = admit_upload(
        Upload(
            owner=request.user,
            name=metadata.name or "recording",
            expected_bytes=total,
            context=dict(metadata.answers),
            is_resumable=True,
            metadata=metadata.raw,
            capture=dict(metadata.capture),
            meant_for=meant_for,
        )
    )
    response = HttpResponse(status=201, headers=_expires(upload))
    response.headers["Location"] = reverse("rehearsals:tus_upload", args=[upload.pk])
    if request.content_type == protocol.PIECE_TYPE:
        piece = _piece(request, offset=0)
        upload = append(owner=request.user, upload_id=upload.pk, piece=piece)
        response.headers["Upload-Offset"] = str(upload.received_bytes)
    return response


@speaks_tus
def one_upload(request: SignedInRequest, method: str, upload_id: UUID) -> HttpResponse:
    """Return the offset of an upload, append to it, or delete it."""
    if method == "HEAD":
        return _how_far(request, upload_id)
    if method == "PATCH":
        return _more(request, upload_id)
    if method == "DELETE":
        return _ended(request, upload_id)
    raise Refusal(405, _("An upload answers HEAD, PATCH and DELETE."))


def _how_far(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    upload = open_upload(owner=request.user, upload_id=upload_id)
    response = HttpResponse(headers=_expires(upload))
    response.headers["Upload-Offset"] = str(offset_of(upload))
    if upload.expected_bytes is None:
        response.headers["Upload-Defer-Length"] = "1"
    else:
        response.headers["Upload-Length"] = str(upload.expected_bytes)
    if upload.metadata:
        response.headers["Upload-Metadata"] = upload.metadata
    return response


def _more(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    if request.content_type != protocol.PIECE_TYPE:
        raise Refusal(415, _("A piece is sent as application/offset+octet-stream."))
    offset = protocol.number_in(request.headers, "Upload-Offset")
    if offset is None:
        raise Refusal(400, _("Upload-Offset is missing."))
    piece = _piece(request, offset=offset)
    upload = append(owner=request.user, upload_id=upload_id, piece=piece)
    response = HttpResponse(status=204, headers=_expires(upload))
    response.headers["Upload-Offset"] = str(upload.received_bytes)
    return response


def _piece(request: SignedInRequest, *, offset: int) -> Piece:
    length = protocol.number_in(request.headers, "Content-Length")
    if "Transfer-Encoding" in request.headers:
        raise Refusal(411, _("Say how long this piece is (Content-Length)."))
    return Piece(
        offset=offset,
        length=length or 0,
        body=request,
        total=protocol.number_in(request.headers, "Upload-Length"),
        checksum=protocol.checksum_in(request.headers),
    )


def _ended(request: SignedInRequest, upload_id: UUID) -> HttpResponse:
    upload = open_upload(owner=request.user, upload_id=upload_id)
    if not discard_upload(upload=upload):
        raise Refusal(410, _("That upload has already become a take."))
    return HttpResponse(status=204)


def _expires(upload: Upload) -> dict[str, str]:
    if upload.state == Upload.State.COMPLETE:
        return {}
    return {"Upload-Expires": http_date(upload_kept_until(upload).timestamp())}
