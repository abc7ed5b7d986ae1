"""Reports of errors to a server that speaks the protocol of Sentry (`ROSTRUM_ERROR_REPORTS`).

A report is built from the few fields that are listed here, so that a new version of the client
cannot add others. The text of an exception is left out: PostgreSQL's holds the refused row.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.types import Event, Hint

from analysis import __version__
from coach.lib.audit_context import place_now
from coach.lib.logs.discreet import without_keys, without_values
from coach.lib.logs.json_lines import request_id_now

_SENT = ("event_id", "timestamp", "platform", "level", "logger", "release", "environment")
_OF_FRAMES = ("filename", "abs_path", "module", "function", "lineno", "in_app")


def start_error_reports(address: str, *, process: str) -> None:
    """Send unexpected errors and error log entries to the address (a DSN); do nothing if empty."""
    if not address:
        return
    sentry_sdk.init(
        dsn=address,
        release=__version__,
        environment=process,
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
        # Neither the variables and modules of the process nor its threads.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            CeleryIntegration(),
            DedupeIntegration(),
            DjangoIntegration(middleware_spans=False, signals_spans=False, cache_spans=False),
            ExcepthookIntegration(),
            LoggingIntegration(level=None, event_level=logging.ERROR),
        ],
        before_send=_without_personal_data,
    )


def _without_personal_data(event: Event, _hint: Hint) -> Event:
    """Return a report with the listed fields only."""
    given: Mapping[str, Any] = event
    kept: dict[str, Any] = {name: given[name] for name in _SENT if given.get(name)}
    tags = {"place": place_now(), "request": request_id_now()}
    kept["tags"] = {name: value for name, value in tags.items() if value}
    # The sentence as the code has it, without the values that it is filled with.
    if sentence := (given.get("logentry") or {}).get("message"):
        kept["logentry"] = {"message": str(without_keys(without_values(sentence)))}
    if values := (given.get("exception") or {}).get("values"):
        kept["exception"] = {"values": [_kind_and_frames(each) for each in values]}
    return kept  # type: ignore[return-value]


def _kind_and_frames(exception: Mapping[str, Any]) -> dict[str, Any]:
    frames = (exception.get("stacktrace") or {}).get("frames") or []
    return {
        "type": exception.get("type"),
        "module": exception.get("module"),
        "stacktrace": {
            "frames": [{name: frame.get(name) for name in _OF_FRAMES} for frame in frames]
        },
    }
