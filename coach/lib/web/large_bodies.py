"""At most so many large request bodies arrive at once, so that pages are answered meanwhile, and
no form takes more than any form of this site needs.

A large body holds a thread of the web process for as long as its sender takes. Small ones do not:
`patient_worker` waits for them before a thread is taken.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from coach.lib.web.http import wants_json

SMALL_BODY_BYTES = 128 * 1024
"""The forms of this site are shorter than this, even a whole rule with all its cases."""

LARGEST_FORM_BYTES = 1024**3
"""More than the largest project of another tool that is read, its recordings left out included
(rule of thumb). What takes recordings keeps them piece by piece, and looks at their size itself."""

RETRY_SECONDS = 30
"""When to ask again; a rule of thumb: a slot is seldom held for long."""


class Slots:
    """Who is sending a large body to this process now."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[object] = Counter()

    def obstacle(self, person: object) -> str:
        """Why this person cannot send now, in words; empty where they can."""
        if self._held[person] >= settings.UPLOADS_AT_ONCE:
            return _(
                "Other recordings of yours are on their way already. Wait until one of them has "
                "arrived, then send this one."
            )
        if self._held.total() >= settings.LARGE_BODIES_AT_ONCE:
            return _(
                "Many recordings are arriving just now. Nothing of yours was sent: please try "
                "again in a minute."
            )
        return ""

    @contextmanager
    def hold(self, person: object) -> Iterator[str]:
        """A slot for as long as the block runs; gives the obstacle where there is none."""
        with self._lock:
            obstacle = self.obstacle(person)
            if not obstacle:
                self._held[person] += 1
        try:
            yield obstacle
        finally:
            if not obstacle:
                with self._lock:
                    self._held -= Counter({person: 1})


slots = Slots()


def held_slot(person: object, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same pieces; their sending holds a slot like a large body that arrives."""
    with slots.hold(person):
        yield from pieces


def limit_large_bodies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, after the one that knows who is signed in and before any that reads the body."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not is_large(request):
            return get_response(request)
        if not request.user.is_authenticated:
            sentence = _("Please sign in before you send something as large as this.")
            # Who was sending learns that they are signed out; a form is kept (`signed_out`).
            return _refusal(request, sentence, status=401 if wants_json(request) else 413)
        if not _takes_recordings(request) and _length_of(request) > LARGEST_FORM_BYTES:
            sentence = _("This is larger than anything that this page takes: nothing was kept.")
            return _refusal(request, sentence, status=413)
        with slots.hold(request.user.pk) as obstacle:
            if obstacle:
                return _refusal(request, obstacle, status=503)
            return get_response(request)

    return answer


def is_large(request: HttpRequest) -> bool:
    """Whether its body is larger than any form of this site, or may be."""
    return "HTTP_TRANSFER_ENCODING" in request.META or _length_of(request) > SMALL_BODY_BYTES


def _length_of(request: HttpRequest) -> float:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else math.inf


def _takes_recordings(request: HttpRequest) -> bool:
    """Whether its view checks who sends, and how much, before the first byte is kept: nothing else
    is taken without the usual check, which would have the whole body kept first."""
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return False
    return bool(getattr(view, "csrf_exempt", False))


def _refusal(request: HttpRequest, sentence: str, *, status: int) -> HttpResponse:
    response: HttpResponse
    if wants_json(request):
        response = JsonResponse({"message": sentence}, status=status)
    else:
        response = render(request, "busy.html", {"sentence": sentence}, status=status)
    if status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response
