"""The response to users while the storage is unavailable."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from coach.lib.web.http import wants_json
from coach.storage import StorageUnavailable

log = logging.getLogger(__name__)

AWAY_SENTENCE = _(
    "We cannot reach the stored recordings at the moment. Nothing is lost. Try again in a minute."
)

_RETRY_SECONDS = 60


class storage_unavailable_middleware:  # noqa: N801  # middleware, named like the functions beside it
    """Middleware that answers a request whose view raised StorageUnavailable."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """Return a 503 response for StorageUnavailable, or None for other exceptions."""
        if not isinstance(exception, StorageUnavailable):
            return None
        log.error("recordings cannot be reached: %s", exception)
        response: HttpResponse
        if wants_json(request):
            response = JsonResponse({"message": str(AWAY_SENTENCE)}, status=503)
        else:
            response = render(request, "away.html", {"sentence": AWAY_SENTENCE}, status=503)
        response.headers["Retry-After"] = str(_RETRY_SECONDS)
        return response
