"""The owner of a page: the user who was signed in when the page was rendered.

Signing in creates a new CSRF secret, and each form contains a token of it. A signed cookie holds
a digest of each of the last few secrets with its user. So a form submitted too late still
identifies its owner, even if another user is signed in. A forged form has none of the secrets.
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
"""The lifetime of the cookie, longer than a session (rule of thumb)."""
_MOST = 5
"""The number of sign-ins that a browser's cookie holds."""


def remember_page_owner(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Add the user to the cookie, once for each sign-in."""
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
    """Return the user for whom the page with this token was made, or None if unknown."""
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
    """Return the secret of a masked or plain token, or an empty string if it is invalid.

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
