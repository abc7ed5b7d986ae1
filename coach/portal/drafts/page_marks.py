"""The secret in every form, as a key that gives the secret itself away to nobody."""

from __future__ import annotations

from django.middleware.csrf import CSRF_ALLOWED_CHARS, CSRF_SECRET_LENGTH, CSRF_TOKEN_LENGTH
from django.utils.crypto import salted_hmac


def digest_of_secret(secret: str) -> str:
    """Under this a mark is stored."""
    return salted_hmac("coach.portal.page_marks", secret).hexdigest()


def digest_of_token(token: str) -> str:
    """The same of the token that a form carries; empty where it is no such token.

    A token is a mask and the secret under it, made anew for each page (see Django's
    `django.middleware.csrf`).
    """
    if not set(token) <= set(CSRF_ALLOWED_CHARS):
        return ""
    if len(token) == CSRF_SECRET_LENGTH:
        return digest_of_secret(token)
    return digest_of_secret(_unmasked(token)) if len(token) == CSRF_TOKEN_LENGTH else ""


def _unmasked(token: str) -> str:
    place = CSRF_ALLOWED_CHARS.index
    mask, cipher = token[:CSRF_SECRET_LENGTH], token[CSRF_SECRET_LENGTH:]
    pairs = zip(cipher, mask, strict=True)
    return "".join(CSRF_ALLOWED_CHARS[place(under) - place(over)] for under, over in pairs)
