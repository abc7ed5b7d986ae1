"""Making of a token from a posted form, for the pages of people and of identity providers."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import Http404

from coach.accounts.freshness import ask_password
from coach.api.forms import TokenForm
from coach.api.services import make_token
from coach.lib.web.http import SignedInRequest

_ONE_PAGE: Final = 24 * 3600
"""Seconds in which a page that is sent again makes no second token."""


def check_open() -> None:
    """Raise Http404 on a site without the API."""
    if not settings.API:
        raise Http404


def posted_token(request: SignedInRequest, form: TokenForm) -> str | None:
    """Return the secret of a new token, empty if the form was not posted or has errors.

    Returns None if this page was sent before. Raises ReauthenticationRequired: a page that was left
    open, or a stolen cookie, makes no key to the account.
    """
    if request.method != "POST" or not form.is_valid():
        return ""
    ask_password(request)
    said = form.cleaned_data
    if said["token"] and not cache.add(
        f"token-form:{request.user.pk}:{said['token']}", 1, _ONE_PAGE
    ):
        return None
    try:
        _token, secret = make_token(
            user=request.user, name=said["name"], scopes=form.chosen, ends_at=form.ends_at
        )
    except ValidationError as error:
        form.add_error(None, error)
        return ""
    return secret
