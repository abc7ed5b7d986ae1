"""Names of rows: the same in every export of a study, derived with a secret key."""

from __future__ import annotations

import hashlib
import hmac
from uuid import UUID

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_NAME_LETTERS = 12
_FIVE_BITS = 5


def row_name(key: bytes, kind: str, identifier: object) -> str:
    """Return twelve characters (60 bits) for a row, such as a take, that cannot be guessed or
    reversed.

    Keyed, since the identifiers themselves are in URLs of the site.
    """
    digest = hmac.new(key, f"{kind}:{identifier}".encode(), hashlib.sha256).digest()
    bits = int.from_bytes(digest[:8], "big")
    letters = [_CROCKFORD[(bits >> (_FIVE_BITS * place)) & 31] for place in range(_NAME_LETTERS)]
    return "".join(letters)


def derived_guid(guid: UUID, part: str) -> UUID:
    """Return a GUID for a part of an object with a random one (UUID version 8, RFC 9562)."""
    return _version_8(hashlib.sha256(guid.bytes + part.encode()).digest())


def keyed_guid(key: bytes, kind: str, identifier: object) -> UUID:
    """Return a GUID (UUID version 8) for an object without one, from a keyed digest."""
    return _version_8(hmac.new(key, f"{kind}:{identifier}".encode(), hashlib.sha256).digest())


def _version_8(digest: bytes) -> UUID:
    number = int.from_bytes(digest[:16], "big")
    number &= ~(0xF << 76) & ~(0x3 << 62)
    return UUID(int=number | (0x8 << 76) | (0x2 << 62))
