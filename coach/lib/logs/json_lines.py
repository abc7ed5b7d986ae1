"""Log lines as JSON objects, each with the id of its request or task (`ROSTRUM_LOG_FORMAT`)."""

from __future__ import annotations

import json
import logging
import re
import uuid
from collections.abc import Callable, Mapping
from contextvars import ContextVar

from celery import current_task
from django.http import HttpRequest, HttpResponseBase

from coach.lib.audit_context import place_now
from coach.lib.logs.discreet import DiscreetFormatter

HEADER = "X-Request-ID"
_ATOM = f"{{{HEADER.lower()}}}o"
"""gunicorn's name of this header of an answer."""
_VALID = re.compile(r"[\w-]{8,64}", re.ASCII)
"""Ids of a proxy that are taken over; others are replaced."""
_request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id_now() -> str:
    """Return the id of the current request; empty outside a request."""
    return _request_id.get()


class JsonFormatter(DiscreetFormatter):
    """A log formatter that writes a record as one line of JSON, redacted.

    Fields: time (UTC), level, logger, message (with the traceback), and where they are known place
    (page, task or command), request and task.
    """

    def __init__(self) -> None:
        super().__init__("%(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its traceback."""
        fields = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%SZ"),
            "level": record.levelname,
            "logger": record.name,
            "message": super().format(record),
            "place": place_now(),
            "request": _request_id.get() or _answered(record),
            # Outside of a task there is none, which the types of Celery do not say.
            "task": getattr(getattr(current_task, "request", None), "id", None),
        }
        return json.dumps({name: value for name, value in fields.items() if value})


def _answered(record: logging.LogRecord) -> str:
    """Return the id in a line of gunicorn's access log, written after the request."""
    found = record.args.get(_ATOM, "") if isinstance(record.args, Mapping) else ""
    return str(found)


def request_id_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that gives each request an id, for its log lines and its answer's header."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        token = _request_id.set(given if _VALID.fullmatch(given) else uuid.uuid4().hex)
        try:
            response = get_response(request)
            response.headers[HEADER] = _request_id.get()
            return response
        finally:
            _request_id.reset(token)

    return answer
