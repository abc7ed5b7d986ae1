"""Health checks: whether this process lives (/alive/) and can serve pages (/ready/).

Both are answered before any other middleware, so that a container can ask itself over http under
any host name, although other clients are redirected to https.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import kombu.exceptions
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.module_loading import import_string

from analysis import __version__
from coach.celery import app

OK = "ok"
NOT_LOOKED_AT = "has not been looked at yet"
KEPT_SECONDS = 3.0
"""So long an answer stands: asking often costs nothing, and cannot be used to tire us out."""


def check_database() -> str:
    """Return `ok`, or a message if PostgreSQL does not answer."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return OK


def check_broker() -> str:
    """Return `ok`, or a message if the broker does not answer. Without it analyses wait;
    none is lost.
    """
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, kombu.exceptions.OperationalError):
        return "does not answer"
    return OK


CHECKS: Mapping[str, Callable[[], str]] = {"database": check_database, "broker": check_broker}


def examine() -> dict[str, str]:
    """Return the state of each part, including the checks that other apps register."""
    of_others = {name: import_string(path) for name, path in settings.HEALTH_CHECKS.items()}
    checks = {**CHECKS, **of_others}
    return {name: check() for name, check in checks.items()}


def is_ready(parts: Mapping[str, str]) -> bool:
    """Return whether this process can serve pages, for which it needs only the database.

    Without disk space or the broker, uploads or analyses wait; a load balancer that removed the
    site for that would remove its pages too.
    """
    return parts["database"] == OK


def _status(parts: Mapping[str, str]) -> str:
    if not is_ready(parts):
        return "unavailable"
    return OK if all(state == OK for state in parts.values()) else "degraded"


class answer_health:  # noqa: N801  # middleware, named like the functions beside it
    """Middleware that answers the two health URLs and passes other requests on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._seen: tuple[float, dict[str, str]] = (-KEPT_SECONDS, {})

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path == "/alive/":
            return HttpResponse("ok", content_type="text/plain")
        if request.path == "/ready/":
            return self._ready()
        return self.get_response(request)

    def _ready(self) -> HttpResponse:
        at, parts = self._seen
        if time.monotonic() - at > KEPT_SECONDS:
            parts = examine()
            self._seen = (time.monotonic(), parts)
        said = {"status": _status(parts), "version": __version__, **parts}
        response = JsonResponse(said, status=200 if is_ready(parts) else 503)
        response.headers["Cache-Control"] = "no-store"
        return response
