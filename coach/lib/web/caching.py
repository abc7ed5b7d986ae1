"""No browser keeps a page of somebody who is signed in: after signing out, Back shows nothing."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


def keep_no_page(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Stands behind the middleware that serves static files, which anybody may keep."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        held = settings.SESSION_COOKIE_NAME in request.COOKIES
        if held and "no-store" not in response.headers.get("Cache-Control", ""):
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return answer
