"""Encryption of second factors with another SECRET_KEY."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.db import transaction

from coach.accounts.second_factor.adapter import PURPOSE, present_cipher
from coach.lib.ciphers import cipher_of

_ENCRYPTED = ("secret", "seed")
"""The fields that allauth encrypts: of an authenticator app, and of recovery codes."""


@transaction.atomic
def reencrypt_second_factors(*, key: str) -> int:
    """Encrypt all second factors for the next SECRET_KEY, and return their number.

    What no known key opens stays as it is.
    """
    following = cipher_of(key, purpose=PURPOSE)
    count = 0
    for each in Authenticator.objects.select_for_update().order_by("pk"):
        tokens = {name: each.data[name] for name in _ENCRYPTED if each.data.get(name)}
        again = {name: _encrypted_again(token, following) for name, token in tokens.items()}
        changed = {name: token for name, token in again.items() if token is not None}
        if changed:
            each.data = {**each.data, **changed}
            each.save(update_fields=["data"])
            count += 1
    return count


def _encrypted_again(token: str, following: Fernet) -> str | None:
    try:
        return following.encrypt(present_cipher().decrypt(token)).decode()
    except InvalidToken:
        return None
