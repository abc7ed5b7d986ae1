"""The reader's time zone, as named by their browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase

from coach.lib.words.dates import read_in

COOKIE: Final = "rostrum_zone"
"""Set by static/js/zone.js: the name of a zone, such as `Europe/Paris`, and nothing else."""


def time_zone_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that formats times of a page in the reader's time zone."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        with read_in(request.COOKIES.get(COOKIE, "")):
            return get_response(request)

    return answer
