"""Request types, and files delivered with byte ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django_htmx.middleware import HtmxDetails

if TYPE_CHECKING:
    from coach.accounts.models import User

_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
_CHUNK_BYTES = 256 * 1024


class SignedInRequest(HttpRequest):
    """A request behind `login_required`: the user is one of ours."""

    user: User
    htmx: HtmxDetails


def parse_range(header: str, size: int) -> tuple[int, int] | None:
    """First and last byte asked for, or None where the header is not one satisfiable range.

    One range only (RFC 9110 lets a server answer the whole for several).
    """
    match = _RANGE.fullmatch(header.strip())
    if match is None or match.group(1) == match.group(2) == "":
        return None
    first, last = match.groups()
    if first == "":
        return (max(size - int(last), 0), size - 1) if int(last) and size else None
    start = int(first)
    end = min(int(last), size - 1) if last else size - 1
    return (start, end) if start <= end else None


def _read(file: BinaryIO, length: int) -> Iterator[bytes]:
    with file:
        while length > 0:
            chunk = file.read(min(_CHUNK_BYTES, length))
            if not chunk:
                return
            length -= len(chunk)
            yield chunk


def file_response(request: HttpRequest, path: Path, *, content_type: str) -> HttpResponseBase:
    """The file, or the range of it that was asked for, so that players can seek.

    Never sniffed, never run: what people upload is hostile. Never kept by the browser: a take that
    is taken back, or left on a machine that others use, is closed at once.
    """
    size = path.stat().st_size
    header = request.headers.get("Range", "")
    wanted = parse_range(header, size) if header else (0, size - 1)
    if wanted is None:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    start, end = wanted
    length = end - start + 1
    if request.method == "HEAD":
        response: HttpResponseBase = HttpResponse(content_type=content_type)
    else:
        file = path.open("rb")
        file.seek(start)
        response = StreamingHttpResponse(_read(file, length), content_type=content_type)
    if header:
        response.status_code = 206
        response.headers["Content-Range"] = f"bytes {start}-{end}/{size}"
    response.headers["Content-Length"] = str(length)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response
