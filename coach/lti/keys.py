"""Our key pair: what we sign for learning platforms, and the public key that they fetch."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from functools import lru_cache
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings
from jwt.algorithms import RSAAlgorithm

RS256: Final = "RS256"
"""The only signature that LTI 1.3 requires; we neither make nor accept another one."""
TOKEN_SECONDS: Final = 300
"""Life of a token request (rule of thumb)."""


def is_on() -> bool:
    """Return whether this site has a key, without which it speaks no LTI."""
    return bool(settings.LTI_KEY)


@lru_cache(maxsize=2)
def _key(pem: str) -> tuple[RSAPrivateKey, dict[str, Any]]:
    """Return a private key, and its public half as a JWK named by its thumbprint (RFC 7638)."""
    key = load_pem_private_key(pem.encode(), password=None)
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("not an RSA key")  # `envrsakey` has checked it
    public = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    needed = {name: public[name] for name in ("e", "kty", "n")}
    digest = hashlib.sha256(json.dumps(needed, separators=(",", ":")).encode()).digest()
    name = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return key, {**needed, "kid": name, "alg": RS256, "use": "sig"}


def public_keys() -> dict[str, Any]:
    """Return our public key as a JSON web key set."""
    return {"keys": [_key(settings.LTI_KEY)[1]]}


def sign(claims: dict[str, Any], *, seconds: int) -> str:
    """Return claims signed by this site, valid for so many seconds from now, with a new nonce."""
    key, public = _key(settings.LTI_KEY)
    now, once = int(time.time()), secrets.token_urlsafe(24)
    said = {**claims, "iat": now, "exp": now + seconds, "nonce": once, "jti": once}
    return jwt.encode(said, key, algorithm=RS256, headers={"kid": public["kid"]})
