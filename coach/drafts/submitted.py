"""Parsing of the form in a refused request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.urls import Resolver404, resolve

from coach.lib.pages.plain_text import storable
from coach.lib.web.large_bodies import is_large, slots

_NEVER_SAVED = re.compile(
    r"passw|passphrase|secret|csrf|^draft$|^item_times$|^credential$", re.IGNORECASE
)
"""Names of fields that are never saved: `item_times` is reported by the page itself, and the
`credential` of a passkey answers one page only."""
_KEY = re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}")
_SIGNED_OUT = "signed out"
"""The owner of large-body slots that all signed-out users share."""

_SENT_BY_PAGES = frozenset(
    {
        "action",
        "again",
        "area",
        "back",
        "base",
        "before",
        "begins",
        "card",
        "coder",
        "coding",
        "credential",
        "do",
        "document",
        "end_exact",
        "ends",
        "found",
        "expected_bytes",
        "finish",
        "finished",
        "first",
        "hand_in",
        "kept_figure",
        "last",
        "next",
        "of",
        "other",
        "over",
        "pick",
        "proposal",
        "remove",
        "seal",
        "seed",
        "seen",
        "start_exact",
        "step",
        "talk",
        "token",
        "turn",
        "upload",
        "wish",
    }
)
"""Names that are hidden fields or buttons in every form with them."""
_SENT_BY_PAGE_OF = {
    "oidc_sign_in": {"invited"},
    "portal:act_on_people": {"act", "confirmed", "people", "query"},
    "review:strike": {"kind", "start"},
    "review:correct_word": {"start"},
    "feedback:replace_word": {"start"},
    "feedback:mark_um": {"start"},
    "feedback:strike": {"kind", "start"},
    "feedback:mean_pause": {"at"},
    "practice:decide_key_message": {"message"},
    "practice:tasks_of": {"delete"},
    "practice:tick_task": {"done", "from"},
    "review:add_starters": {"language", "tag"},
    "review:replace": {"tone", "quality"},
    "review:answer": {"what"},
    "research:differences_of": {"count"},
    "research:differences_of_take": {"count"},
    "research:redact": {"start", "end"},
    "research:load_codebook": {"name"},
    "research:mark": {"replace"},
    "research:written": {"about"},
}
"""Names that are hidden fields in one form, but filled in by users in others."""


def savable(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the fields without passwords and tokens, with storable characters only."""
    return [
        (storable(name), storable(value)) for name, value in fields if not _NEVER_SAVED.search(name)
    ]


def filled_in(url: str, fields: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the fields that a user filled in or chose, without hidden fields of the page."""
    try:
        view = resolve(urlsplit(url).path).view_name
    except Resolver404:
        view = ""
    hidden = _SENT_BY_PAGES | _SENT_BY_PAGE_OF.get(view, set())
    return [
        (name, value)
        for name, value in fields
        if value.strip()
        and name not in hidden
        and not name.startswith("seen_")
        and not _KEY.fullmatch(value)
    ]


@dataclass(frozen=True, slots=True)
class SubmittedForm:
    """The fields of a form in order, and the names of its files."""

    token: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()


class _NamesOnly(FileUploadHandler):
    """An upload handler that stores names only, and reads large bodies up to the first file."""

    def __init__(self, request: HttpRequest, *, stops: bool) -> None:
        super().__init__(request)
        self.names: list[str] = []
        self._stops = stops

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.names.append(self.file_name or "")
        raise StopUpload(connection_reset=True) if self._stops else SkipFile

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Do nothing; every file is skipped."""

    def file_complete(self, file_size: int) -> None:
        """Do nothing; every file is skipped."""


def read_form(request: HttpRequest) -> SubmittedForm:
    """Return the received part of the form, or an empty form if it is unreadable."""
    if hasattr(request, "_files") or not is_large(request):
        return _read(request, stops=False)
    with slots.hold(_SIGNED_OUT) as obstacle:
        return SubmittedForm() if obstacle else _read(request, stops=True)


def _read(request: HttpRequest, *, stops: bool) -> SubmittedForm:
    handler = _NamesOnly(request, stops=stops)
    if not hasattr(request, "_files"):
        request.upload_handlers = [handler]
    try:
        fields = [(name, str(one)) for name, values in request.POST.lists() for one in values]
        arrived = [str(file.name) for _name, files in request.FILES.lists() for file in files]
    except (UnreadablePostError, MultiPartParserError, SuspiciousOperation, OSError):
        fields, arrived = [], []
    tokens = [value for name, value in fields if name == "csrfmiddlewaretoken"]
    return SubmittedForm(
        token=tokens[0] if tokens else request.headers.get("X-CSRFToken", ""),
        fields=tuple(savable(fields)),
        files=tuple(storable(name) for name in (*handler.names, *arrived) if name),
    )
