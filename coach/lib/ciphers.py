"""Encryption of short secrets in the database, with keys that are not in it."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet


def cipher_of(key: str, *, purpose: bytes) -> Fernet:
    """Return the cipher that encrypts secrets of one purpose under a key of the site."""
    derived = hashlib.sha256(purpose + key.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(derived))
