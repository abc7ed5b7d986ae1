"""What cannot be undone asks for the password again, unless it was given some minutes ago."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from coach.lib.web.http import SignedInRequest

V = TypeVar("V", bound=Callable[..., HttpResponseBase])


def is_fresh(request: HttpRequest) -> bool:
    """Whether the person gave their password in this session a short while ago."""
    records = get_authentication_records(request, request.user)
    last = max((float(each["at"]) for each in records), default=0.0)
    return time.time() - last < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def password_again(view: V) -> V:
    """What is sent to the view waits until the password is given, then goes on by itself.

    A page that was left open, or a cookie that was taken, can so destroy nothing.
    """

    @wraps(view)
    def asking(request: SignedInRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not is_fresh(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return asking  # type: ignore[return-value]
