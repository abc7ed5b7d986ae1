"""Language of a page: the person's own, else the browser's choice, else its preference.

Replaces Django's LocaleMiddleware, which does not know users. URLs do not contain a language.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from coach.accounts.models import Language, User

_CHOSEN_BEFORE = "chosen_language"


def language_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that sets the language; runs after authentication."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        language = language_of(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = get_response(request)
        if not request.user.is_authenticated:
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", translation.get_language() or language)
        return response

    return answer


def language_of(request: HttpRequest) -> str:
    """Return the language for a request."""
    user = request.user
    if isinstance(user, User) and user.language in Language.values:
        return user.language
    return translation.get_language_from_request(request)


def remember_language(request: HttpRequest, response: HttpResponse, language: str) -> None:
    """Store the language in this browser, for pages without a sign-in."""
    if not request.user.is_authenticated:
        request.session[_CHOSEN_BEFORE] = language
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


def chosen_before(request: HttpRequest) -> Language | None:
    """Return and clear the language that a visitor chose in this visit; None if they chose none.

    The browser's cookie does not count: several people may use it.
    """
    chosen = request.session.pop(_CHOSEN_BEFORE, "")
    return Language(chosen) if chosen in Language.values else None
