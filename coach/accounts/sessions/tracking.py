"""Record of signed-in sessions: written at sign-in, and their last use every ten minutes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from coach.accounts.models import User
from coach.accounts.sessions.models import DeviceSession

SEEN_EVERY: Final = 600
"""Seconds after which the last use of a session is written again (rule of thumb)."""
_MOST: Final = 50_000
"""Sessions that a process remembers, so that it writes no more often than that."""

# Browsers that also name others come first: Edge names Chrome and Safari, and Chrome names Safari.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
# Android names Linux, and an iPhone names Mac OS X.
_SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
_seen: dict[str, float] = {}
"""When this process wrote the use of a session, by its key."""


def named(agent: str, names: dict[str, str]) -> str:
    """Return the first name whose mark is in the browser's description of itself, or nothing."""
    return next((name for mark, name in names.items() if mark in agent), "")


def track_sessions(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that writes when a session was last used; runs after authentication."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        user = request.user
        if isinstance(user, User) and not user.is_trial:
            _note_use(request, user)
        return get_response(request)

    return answer


def _note_use(request: HttpRequest, user: User) -> None:
    key = request.session.session_key
    if key is None or time.monotonic() - _seen.get(key, -SEEN_EVERY) < SEEN_EVERY:
        return
    found = DeviceSession.objects.filter(session_id=key, user=user)
    if found.update(seen_at=timezone.now()):
        _remember(key)
    else:
        _begin(request, user, key)


@receiver(user_logged_in)
def _note_sign_in(request: HttpRequest, user: User, **_more: Any) -> None:
    if user.is_trial:
        return
    if request.session.session_key is None:
        request.session.save()
    _begin(request, user, str(request.session.session_key))


def _begin(request: HttpRequest, user: User, key: str) -> None:
    agent = request.META.get("HTTP_USER_AGENT", "")
    values = {
        "user": user,
        "browser": named(agent, _BROWSERS),
        "system": named(agent, _SYSTEMS),
        "seen_at": timezone.now(),
    }
    try:
        with transaction.atomic():
            if Session.objects.filter(pk=key).exists():
                DeviceSession.objects.update_or_create(session_id=key, defaults=values)
    except IntegrityError:
        # The session ended at the same moment, in another tab.
        return
    _remember(key)


def _remember(key: str) -> None:
    if len(_seen) >= _MOST:
        _seen.clear()
    _seen[key] = time.monotonic()
