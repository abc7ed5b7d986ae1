"""Session cookie of a browser whose requests overlap."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


def keep_newer_session(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that keeps the session cookie unless the view ended the session.

    Signing in replaces the session. Django answers a request that was sent before, such as that for
    the offline page, by deleting the cookie of a session that it no longer finds. If that answer
    came last, it would delete the new cookie, and the person would be asked to sign in again.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        is_deleted = cookie is not None and cookie["max-age"] == 0
        if is_deleted and not request.session.modified:
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response

    return answer
