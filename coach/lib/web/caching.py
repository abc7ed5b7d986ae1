"""Cache headers for signed-in pages: after signing out, the Back button shows nothing."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


def keep_no_page(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that forbids caching of signed-in pages; runs after that for static files."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        held = settings.SESSION_COOKIE_NAME in request.COOKIES
        if held and "no-store" not in response.headers.get("Cache-Control", ""):
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return answer
