"""Network address of the current request, also behind proxies."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from allauth.core.internal.httpkit import get_client_ip
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponseBase

_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


def keep_request(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that makes the current request available to the log."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        token = _request.set(request)
        try:
            return get_response(request)
        finally:
            _request.reset(token)

    return answer


def client_address() -> str | None:
    """Return the address; `None` without a request or a readable address.

    Only the part of X-Forwarded-For that our own proxies added counts (`ROSTRUM_TRUSTED_PROXIES`),
    so that clients cannot forge it.
    """
    request = _request.get()
    if request is None:
        return None
    try:
        address: str | None = get_client_ip(request)
    except ImproperlyConfigured:  # fewer addresses than proxies that we trust
        return None
    return address
