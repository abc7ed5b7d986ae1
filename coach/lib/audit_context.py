"""From where an act was done: the page, the worker's task or the command, and never a machine.

A request, a task or a command says so once, around everything that happens in it; whoever records
an act need not know. The security log alone has network addresses (`coach.lib.web.client_address`).
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
    "rehearsals": gettext_lazy("Uploads and recordings"),
    "guests": gettext_lazy("Guests"),
    "notices": gettext_lazy("News"),
    "review": gettext_lazy("Queue and review page"),
    "curation": gettext_lazy("Rule studio"),
    "research": gettext_lazy("Research"),
    "admin": gettext_lazy("Administration"),
    "account": gettext_lazy("Account and sign-in"),
    WORKER: gettext_lazy("Background tasks"),
    COMMAND: gettext_lazy("Command line"),
}
"""By what stands before the colon: the app whose pages it is, or what runs without a page."""

_here: ContextVar[Callable[[], str] | None] = ContextVar("from_where", default=None)


def place_now() -> str:
    """`review:verdict`, `worker:coach.feedback.tasks.run_stage`, `command:seed_demo`; or empty."""
    ask = _here.get()
    return ask()[:MOST_CHARACTERS] if ask else ""


@contextmanager
def acting_from(kind: str, name: str) -> Iterator[None]:
    """What is recorded within is done from there."""
    token = _here.set(lambda: f"{kind}:{name}")
    try:
        yield
    finally:
        _here.reset(token)


def audit_context(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: what a request does is done from its page, by the name that its address has."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        asked = request.path_info
        token = _here.set(lambda: _page_of(request, asked))
        try:
            return get_response(request)
        finally:
            _here.reset(token)

    return answer


def _page_of(request: HttpRequest, asked: str) -> str:
    """Asked for when something is recorded: by then Django knows which page it is.

    What waited for a password goes on within the request that brings it, with its own path.
    """
    goes_on = request.path_info != asked
    match = resolve(request.path_info) if goes_on else request.resolver_match
    name = match.view_name if match else ""
    # The pages of signing in have names without an app.
    return name.replace("_", ":", 1) if name.startswith("account_") else name


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
