"""allauth adapter of the second factor: encrypted secrets, and our words."""

from __future__ import annotations

import base64
import logging
import secrets
from typing import Final

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.lib.ciphers import cipher_of

PURPOSE: Final = b"second factor"

log = logging.getLogger(__name__)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no stubs
    """Adapter that encrypts secrets at rest."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _(
            "This code is not right. Codes of an app change every 30 seconds: enter the newest."
        ),
        "cannot_generate_recovery_codes": _("Add a passkey or an authenticator app first."),
    }

    def get_totp_issuer(self) -> str:
        """Return the name shown in the authenticator app."""
        return f"Rostrum ({self._get_site_name()})"

    def encrypt(self, text: str) -> str:
        """Encrypt a secret with a key derived from SECRET_KEY, so that a backup alone opens no
        account.
        """
        return present_cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret, which a former SECRET_KEY may have encrypted.

        Without that key, return a random secret, which no code matches.
        """
        try:
            return present_cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.warning("a second factor was encrypted with another SECRET_KEY: reset it")
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def generate_authenticator_name(self, user: User, type: str) -> str:  # noqa: A002 (its name)
        """Return the proposed name of a new passkey."""
        standing = Authenticator.objects.filter(user=user, type=type).count()
        name = gettext("Passkey")
        return f"{name} {standing + 1}" if standing else name


def present_cipher() -> MultiFernet:
    """Return the cipher of the present key, which also decrypts with former ones."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([cipher_of(key, purpose=PURPOSE) for key in keys])
