"""Password confirmation for irreversible actions, unless it was given a few minutes ago."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from coach.lib.web.http import SignedInRequest

AT_PROVIDER: Final = "provider"
"""allauth's name of the method, of people who signed in at the institution's provider again."""

_NOW: Final = 60
"""Seconds from the password to the act for which it was asked (rule of thumb)."""

V = TypeVar("V", bound=Callable[..., HttpResponseBase])


def is_fresh(request: HttpRequest, within: int | None = None) -> bool:
    """Return whether the person gave their password in this session a short while ago, or
    within so many seconds.

    A sign-in by the institution does not count: the provider may have asked for nothing, and the
    person at the computer may be somebody else. Confirming there again does.
    """
    records = get_authentication_records(request, request.user)
    return _is_recent([each for each in records if each["method"] != "socialaccount"], within)


def is_confirmed_at_provider(request: HttpRequest) -> bool:
    """Return whether the person signed in at the provider again a short while ago."""
    records = get_authentication_records(request, request.user)
    return _is_recent([each for each in records if each["method"] == AT_PROVIDER])


def _is_recent(records: list[dict[str, Any]], within: int | None = None) -> bool:
    last = max((float(each["at"]) for each in records), default=0.0)
    return time.time() - last < (within or settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)


def ask_password(request: HttpRequest, within: int | None = None) -> None:
    """Raise ReauthenticationRequired for a POST from a session without a recent password.

    The request is repeated automatically once the password is given.
    """
    if request.method == "POST" and not is_fresh(request, within):
        raise ReauthenticationRequired


def password_again(view: V) -> V:
    """Require a recent password for POST requests to a view; the request is repeated afterwards.

    So a page that was left open, or a stolen cookie, cannot destroy data.
    """

    @wraps(view)
    def asking(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        ask_password(request)
        return view(request, *args, **kwargs)

    return asking  # type: ignore[return-value]


def password_now(view: V) -> V:
    """Require the password for each POST request to a view, however recent the last one is.

    From a person with a second factor, the view asks for a code, so that a recent password will do.
    """

    @wraps(view)
    def asking(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        ask_password(request, within=None if is_mfa_enabled(request.user) else _NOW)
        return view(request, *args, **kwargs)

    return asking  # type: ignore[return-value]
