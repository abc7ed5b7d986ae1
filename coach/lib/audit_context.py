"""Origin of an audited action: the page, the worker's task or the command, never a network address.

A request, a task or a command sets its origin once, around everything that happens in it, so
services that write audit log entries need not know it. Only the security log stores network
addresses (`coach.lib.web.client_address`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponseBase
from django.urls import resolve
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

MOST_CHARACTERS = 120
WORKER, COMMAND = "worker", "command"

PARTS: dict[str, str | Promise] = {
    "portal": gettext_lazy("Own pages"),
    "feedback": gettext_lazy("Takes and reports"),
    "practice": gettext_lazy("Practice"),
    "questions": gettext_lazy("Questions after a talk"),
    "assignments": gettext_lazy("Assignments"),
    "rehearsals": gettext_lazy("Uploads and recordings"),
    "slides": gettext_lazy("Slides"),
    "guests": gettext_lazy("Guests"),
    "notices": gettext_lazy("News"),
    "review": gettext_lazy("Queue and review page"),
    "curation": gettext_lazy("Rule studio"),
    "research": gettext_lazy("Research"),
    "api": gettext_lazy("API"),
    "webhooks": gettext_lazy("Webhooks"),
    "lti": gettext_lazy("Learning platforms"),
    "scim": gettext_lazy("Automatic accounts (SCIM)"),
    "scim-v2": gettext_lazy("Automatic accounts (SCIM)"),
    "admin": gettext_lazy("Administration"),
    "account": gettext_lazy("Account and sign-in"),
    "mfa": gettext_lazy("Second factor"),
    WORKER: gettext_lazy("Background tasks"),
    COMMAND: gettext_lazy("Command line"),
}
"""Labels by the origin's prefix before the colon: the app of the page, or the kind of process."""

_here: ContextVar[Callable[[], str] | None] = ContextVar("from_where", default=None)


def place_now() -> str:
    """Return the current origin, such as `review:verdict` or `command:seed_demo`; empty if unset.

    A worker's task reads `worker:coach.feedback.tasks.run_stage`.
    """
    ask = _here.get()
    return ask()[:MOST_CHARACTERS] if ask else ""


@contextmanager
def acting_from(kind: str, name: str) -> Iterator[None]:
    """Set the origin of audit log entries written inside the block."""
    token = _here.set(lambda: f"{kind}:{name}")
    try:
        yield
    finally:
        _here.reset(token)


def audit_context(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that sets the origin of a request's audit log entries to the name of its URL."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        asked = request.path_info
        token = _here.set(lambda: _page_of(request, asked))
        try:
            return get_response(request)
        finally:
            _here.reset(token)

    return answer


def _page_of(request: HttpRequest, asked: str) -> str:
    """Return the view name of the request, resolved when an entry is written.

    By then Django has matched the URL. A request that was waiting for a password continues within
    the request that brings it, with its own path.
    """
    goes_on = request.path_info != asked
    match = resolve(request.path_info) if goes_on else request.resolver_match
    name = match.view_name if match else ""
    # Sign-in pages have URL names without a namespace.
    return name.replace("_", ":", 1) if name.startswith(("account_", "mfa_")) else name


def place_words(place: str) -> str:
    """Return the part of the site in words: 'Queue and review page', 'Command line (seed_demo)'.

    The export of the log keeps the exact page, task or command. A dash stands for a place that is
    not known, as in old entries.
    """
    if not place:
        return "–"
    part, _colon, name = place.partition(":")
    words = str(PARTS.get(part, part))
    return f"{words} ({name})" if part == COMMAND else words
