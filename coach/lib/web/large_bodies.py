"""Limit on concurrent large request bodies, so that pages stay responsive, and on the size of
forms.

A large body holds a thread of the web process for as long as its sender takes. Small ones do not:
`buffered_worker` waits for them before it takes a thread.
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
    """The large bodies that this process is receiving, counted by sender."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: Counter[object] = Counter()

    def obstacle(self, person: object) -> str:
        """Return why this person cannot send now, as a sentence; empty if they can."""
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
        """Hold a slot during the block; yields the obstacle if there is no slot."""
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
    """Yield the same pieces while holding a slot, as for a large upload."""
    with slots.hold(person):
        yield from pieces


def limit_large_bodies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware; runs after authentication and before any middleware that reads the body."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not is_large(request):
            return get_response(request)
        if not request.user.is_authenticated:
            sentence = _("Please sign in before you send something as large as this.")
            # The sender learns that they are signed out; a form is saved (`signed_out`).
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
    """Return whether the body is, or may be, larger than any form of this site."""
    return "HTTP_TRANSFER_ENCODING" in request.META or _length_of(request) > SMALL_BODY_BYTES


def _length_of(request: HttpRequest) -> float:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isdecimal() else math.inf


def _takes_recordings(request: HttpRequest) -> bool:
    """Return whether the view checks sender and size itself, before it stores the first byte.

    All other views have the usual CSRF check, which would store the whole body first.
    """
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
