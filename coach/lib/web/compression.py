"""Compression of text responses; recordings and pictures are compressed already.

Next to a secret, compression can tell an attacker who makes the page repeat their guesses whether
one was right (BREACH). The secret of our pages is the CSRF token: Django masks it differently on
every page, and its middleware adds up to a hundred random bytes to every compressed response.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

_TEXTS = frozenset(
    {
        "text/html",
        "text/vtt",
        "text/csv",
        "text/plain",
        "text/css",
        "text/javascript",
        "application/json",
        "application/yaml",
        "image/svg+xml",
    }
)


class CompressText:
    """Django's gzip middleware for whole texts only; a byte range is sent as it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._gzip = GZipMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, compressed if that is safe and useful."""
        response = self._get_response(request)
        if not _is_whole_text(response):
            return response
        return self._gzip.process_response(request, response)


def _is_whole_text(response: HttpResponseBase) -> bool:
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
    return kind in _TEXTS and "Content-Range" not in response.headers
