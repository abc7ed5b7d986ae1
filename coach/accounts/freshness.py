"""Password confirmation for irreversible actions, unless it was given a few minutes ago."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from coach.lib.web.http import SignedInRequest

AT_PROVIDER: Final = "provider"
"""allauth's name of the method, of people who signed in at the institution's provider again."""

V = TypeVar("V", bound=Callable[..., HttpResponseBase])


def is_fresh(request: HttpRequest) -> bool:
    """Return whether the person gave their password in this session a short while ago.

    A sign-in by the institution does not count: the provider may have let in whoever sat at the
    computer without a question. Confirming there again does.
    """
    records = get_authentication_records(request, request.user)
    return _is_recent([each for each in records if each["method"] != "socialaccount"])


def is_confirmed_at_provider(request: HttpRequest) -> bool:
    """Return whether the person signed in at the provider again a short while ago."""
    records = get_authentication_records(request, request.user)
    return _is_recent([each for each in records if each["method"] == AT_PROVIDER])


def _is_recent(records: list[dict[str, Any]]) -> bool:
    last = max((float(each["at"]) for each in records), default=0.0)
    return time.time() - last < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def ask_password(request: HttpRequest) -> None:
    """Raise ReauthenticationRequired for a POST from a session without a recent password.

    The request is repeated automatically once the password is given.
    """
    if request.method == "POST" and not is_fresh(request):
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
