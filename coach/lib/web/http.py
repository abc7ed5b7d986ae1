"""Request types, replay of expired forms, and file responses with byte ranges."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from coach.lib.web.download_limit import (
    LONG_PIECE_BYTES,
    RETRY_SECONDS,
    SHORT_PIECE_BYTES,
    Crowded,
    outgoing,
)

if TYPE_CHECKING:
    from coach.accounts.models import User

_RANGE = re.compile(r"bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*", re.IGNORECASE)
_ALONE = "sandbox; default-src 'none'"
# The browser's built-in player requests the recording again: without its origin that request would
# lack the session cookie. No script runs, and no style loads.
_PLAYED = "sandbox allow-same-origin; default-src 'none'; media-src 'self'"


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def do_not_replay(view: View) -> View:
    """Mark a view whose request is not offered again after the session expired: it deletes
    or only reads.
    """
    view.is_asked_anew = True  # type: ignore[attr-defined]
    return view


def forbid_camera_and_microphone(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that forbids camera and microphone on pages that do not ask for them."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=()")
        return response

    return answer


def attachment(name: str) -> dict[str, str]:
    """Return the headers of a download with this file name, whatever its characters."""
    return {
        "Content-Disposition": content_disposition_header(as_attachment=True, filename=name)
        or "attachment"
    }


class SignedInRequest(HttpRequest):
    """A request behind `login_required`, whose user is one of ours."""

    user: User
    htmx: HtmxDetails


def wants_json(request: HttpRequest) -> bool:
    """Return whether a script asks for JSON."""
    return request.headers.get("Accept", "").startswith("application/json")


def uuid_of(text: str) -> UUID | None:
    """Return the UUID in a text; None if it is not a UUID."""
    try:
        return UUID(text)
    except ValueError:
        return None


class Unsatisfiable(Exception):
    """A range outside the file."""


def parse_range(header: str, size: int) -> tuple[int, int] | None:
    """Return the first and last byte of the requested range; None to send the whole file.

    RFC 9110, 14.2: a server ignores a header that it does not understand, and may ignore several
    ranges. Raises Unsatisfiable.
    """
    match = _RANGE.fullmatch(header.strip())
    if match is None or match.group(1) == match.group(2) == "":
        return None
    first, last = (_number(text, most=size) for text in match.groups())
    if first is None:
        start, end = size - (last or 0), size - 1
    else:
        start, end = first, size - 1 if last is None else min(last, size - 1)
        if last is not None and last < first:
            return None
    if not 0 <= start <= end:
        raise Unsatisfiable
    return start, min(end, start + LONG_PIECE_BYTES - 1)


def _number(text: str, *, most: int) -> int | None:
    """Return a position in a file of `most` bytes; larger numbers are capped."""
    digits = text.lstrip("0")
    if len(digits) > len(str(most)):
        return most
    return min(int(digits or "0"), most) if text else None


def ranged_response(
    request: HttpRequest,
    *,
    size: int,
    read: Callable[[int, int], Iterator[bytes]],
    content_type: str,
) -> HttpResponseBase:
    """Return the file, or the requested byte range, so that players can seek.

    Never sniffed, never run: uploads are hostile. The browser's own player may play a recording
    that is opened by its URL. Never cached by the browser: a withdrawn take, or one left on a
    shared machine, is inaccessible at once.
    """
    header = request.headers.get("Range", "")
    try:
        part = parse_range(header, size) if request.method == "GET" else None
    except Unsatisfiable:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse(content_type=content_type)
    else:
        try:
            part, pieces = _leaving(request, part, size, read)
        except Crowded:
            words = _("Much is on its way just now. Try again in a minute.")
            headers = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "private, no-store"}
            return HttpResponse(words, "text/plain; charset=utf-8", 503, headers=headers)
        response = StreamingHttpResponse(pieces, content_type=content_type)
    start, end = part or (0, size - 1)
    length = end - start + 1
    if part:
        response.status_code = 206
        response.headers["Content-Range"] = f"bytes {start}-{end}/{size}"
    response.headers["Content-Length"] = str(length)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    is_played = content_type.startswith(("video/", "audio/"))
    response.headers["Content-Security-Policy"] = _PLAYED if is_played else _ALONE
    return response


def _leaving(
    request: HttpRequest,
    part: tuple[int, int] | None,
    size: int,
    read: Callable[[int, int], Iterator[bytes]],
) -> tuple[tuple[int, int] | None, Iterator[bytes]]:
    """Return the range to send, shortened under load, and its bytes. Raises Crowded."""
    start, end = part or (0, size - 1)
    if end - start < SHORT_PIECE_BYTES:
        return part, read(start, end - start + 1)
    # A guest is identified by the path, which contains their link.
    reader = request.user.pk if request.user.is_authenticated else request.path
    if not outgoing.enter(reader):
        if part is None:
            raise Crowded
        return (start, start + SHORT_PIECE_BYTES - 1), read(start, SHORT_PIECE_BYTES)
    try:
        pieces = read(start, end - start + 1)
    except BaseException:
        outgoing.leave(reader)
        raise
    return part, outgoing.until_taken(reader, pieces)
