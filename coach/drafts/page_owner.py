"""Owner of a page: the person who was signed in when the page was made.

Signing in makes a new CSRF secret, and each form carries a token of it. A signed cookie holds, for
the last few of them, a digest of the secret and the person. So a form that is submitted too late
still says whose it is, whoever is signed in by then. A forged form knows none of the secrets.
"""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.core.signing import BadSignature, dumps, loads
from django.http import HttpRequest, HttpResponseBase
from django.middleware.csrf import CSRF_ALLOWED_CHARS, CSRF_SECRET_LENGTH, CSRF_TOKEN_LENGTH

from coach.accounts.models import User

COOKIE = "rostrum_pages"
_SALT = "coach.drafts.page_owner"
_LIFETIME = 30 * 24 * 3600
"""Longer than a session (rule of thumb)."""
_MOST = 5
"""So many sign-ins of a browser are remembered."""


def remember_page_owner(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Add the person to the cookie, once for each sign-in."""
    mark = (_digest(request.META["CSRF_COOKIE"]), user.pk)
    marks = _marks(request)
    if marks[:1] == [mark]:
        return
    others = [each for each in marks if each[0] != mark[0]]
    response.set_cookie(
        COOKIE,
        dumps([mark, *others][:_MOST], salt=_SALT),
        max_age=_LIFETIME,
        secure=settings.CSRF_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def owner_of_page(request: HttpRequest, token: str) -> User | None:
    """Return the person for whom a page with this token was made, `None` if nobody is known."""
    secret = _secret(token)
    digest = _digest(secret) if secret else ""
    owners = [user_id for mark, user_id in _marks(request) if mark == digest]
    return User.objects.filter(pk__in=owners, is_active=True).first()


def _marks(request: HttpRequest) -> list[tuple[str, int]]:
    try:
        marks = loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_LIFETIME)
    except BadSignature:
        return []
    return [(digest, user_id) for digest, user_id in marks]


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()[:32]


def _secret(token: str) -> str:
    """Return the secret of a token, empty if it is none: a mask and the secret under it.

    See Django's `django.middleware.csrf`.
    """
    if not set(token) <= set(CSRF_ALLOWED_CHARS):
        return ""
    if len(token) == CSRF_SECRET_LENGTH:
        return token
    if len(token) != CSRF_TOKEN_LENGTH:
        return ""
    place = CSRF_ALLOWED_CHARS.index
    pairs = zip(token[CSRF_SECRET_LENGTH:], token[:CSRF_SECRET_LENGTH], strict=True)
    return "".join(CSRF_ALLOWED_CHARS[place(under) - place(over)] for under, over in pairs)
