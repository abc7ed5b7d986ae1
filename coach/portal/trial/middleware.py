"""The pages that a trial includes: recorder, report and deletion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from coach.accounts.models import User
from coach.accounts.navigation import PRACTISE

_Answer = Callable[[HttpRequest], HttpResponseBase]

_OF_PORTAL = (
    *("home", "manifest", "service_worker", "offline", "sample", "about", "help", "guide"),
    *("language", "trial", "delete_trial", "join", "confirm_join", "begun"),
    *("own_data", "own_archive", "receipt", "receipt_file"),
)
_OF_PRACTICE = (
    *("record", "look", "cut_off", "use_take", "analysing", "analysing_now", "about", "report"),
    *("pdf", "captions", "transcript_text", "transcript_captions", "retry", "alone", "camera"),
)
_OF_RECORDINGS = ("media", "poster", "tus", "tus_upload", "discard_upload")
OPEN: Final = frozenset(
    {f"portal:{name}" for name in _OF_PORTAL}
    | {f"feedback:{name}" for name in _OF_PRACTICE}
    | {f"rehearsals:{name}" for name in _OF_RECORDINGS}
    | {"account_logout", "account_reset_password_from_key"}  # to an account of their own
)
"""Views that a visitor in a trial may open. All others, also new ones, need an account."""


class TrialMiddleware:
    """Middleware that refuses pages outside the trial to its visitor; after authentication."""

    def __init__(self, get_response: _Answer) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the page."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Return a refusal if the page is not one of a trial."""
        user, match = request.user, request.resolver_match
        if not isinstance(user, User) or not user.is_trial:
            return None
        if match is not None and match.view_name in OPEN:
            return None
        if match is not None and match.view_name == PRACTISE.url:
            return redirect("portal:trial")
        return render(request, "portal/trial/not_included.html", status=403)
