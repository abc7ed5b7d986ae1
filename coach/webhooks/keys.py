"""Encryption of the secrets that sign webhooks: a copy of the database alone signs nothing."""

from __future__ import annotations

from typing import Final

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import transaction

from coach.lib.ciphers import cipher_of
from coach.webhooks.models import WebhookEndpoint

PURPOSE: Final = b"webhooks"


def is_on() -> bool:
    """Return whether this site has a key, without which it has no webhooks."""
    return bool(settings.WEBHOOKS_KEY)


def encrypted(secret: str) -> str:
    """Encrypt a secret for the database."""
    return cipher_of(settings.WEBHOOKS_KEY, purpose=PURPOSE).encrypt(secret.encode()).decode()


def secret_of(endpoint: WebhookEndpoint) -> str:
    """Return the secret that signs messages to an address.

    Raises InvalidToken if another key encrypted it.
    """
    cipher = cipher_of(settings.WEBHOOKS_KEY, purpose=PURPOSE)
    return cipher.decrypt(endpoint.secret.encode()).decode()


@transaction.atomic
def reencrypt_secrets(*, key: str) -> int:
    """Encrypt all secrets with the next key, and return their number.

    What the present key does not open stays as it is.
    """
    following = cipher_of(key, purpose=PURPOSE)
    count = 0
    for endpoint in WebhookEndpoint.objects.select_for_update():
        try:
            secret = secret_of(endpoint)
        except InvalidToken:
            continue
        endpoint.secret = following.encrypt(secret.encode()).decode()
        endpoint.save(update_fields=["secret"])
        count += 1
    return count
