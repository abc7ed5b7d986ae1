"""Whether this process lives (/alive/), and whether it can serve pages (/ready/).

Both are answered before anything else looks at the request, so that a container can ask itself over
http, by whatever name, where everybody else is sent to https.
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
    """Whether PostgreSQL answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return OK


def check_broker() -> str:
    """Whether the broker answers. Nothing is lost without it; analyses wait."""
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, kombu.exceptions.OperationalError):
        return "does not answer"
    return OK


CHECKS: Mapping[str, Callable[[], str]] = {"database": check_database, "broker": check_broker}


def examine() -> dict[str, str]:
    """Each part with `ok` or what is wrong with it, those that other apps know of included."""
    of_others = {name: import_string(path) for name, path in settings.HEALTH_CHECKS.items()}
    checks = {**CHECKS, **of_others}
    return {name: check() for name, check in checks.items()}


def is_ready(parts: Mapping[str, str]) -> bool:
    """Whether this process can serve pages, for which it needs the database alone.

    Without room on the disk or without the broker, uploads or analyses wait; a balancer that took
    the site away for that would take its pages with it.
    """
    return parts["database"] == OK


def _status(parts: Mapping[str, str]) -> str:
    if not is_ready(parts):
        return "unavailable"
    return OK if all(state == OK for state in parts.values()) else "degraded"


class answer_health:  # noqa: N801  # middleware, named like the functions beside it
    """Answers the two addresses, and hands everything else on."""

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
