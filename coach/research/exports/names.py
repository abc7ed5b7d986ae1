"""Names of rows: the same in every export of a study, and told to nobody by a key of its own."""

from __future__ import annotations

import hashlib
import hmac
from uuid import UUID

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_NAME_LETTERS = 12
_FIVE_BITS = 5


def row_name(key: bytes, kind: str, identifier: object) -> str:
    """Twelve characters (60 bits) for a row of this site, e.g. a take: not to be guessed or undone.

    Keyed, since the identifiers themselves stand in addresses of the site.
    """
    digest = hmac.new(key, f"{kind}:{identifier}".encode(), hashlib.sha256).digest()
    bits = int.from_bytes(digest[:8], "big")
    letters = [_CROCKFORD[(bits >> (_FIVE_BITS * place)) & 31] for place in range(_NAME_LETTERS)]
    return "".join(letters)


def derived_guid(guid: UUID, part: str) -> UUID:
    """A GUID for a part of something that has a random one already (UUID version 8, RFC 9562)."""
    return _version_8(hashlib.sha256(guid.bytes + part.encode()).digest())


def keyed_guid(key: bytes, kind: str, identifier: object) -> UUID:
    """A GUID (UUID version 8) for what has none: from a keyed digest, never from a name alone."""
    return _version_8(hmac.new(key, f"{kind}:{identifier}".encode(), hashlib.sha256).digest())


def _version_8(digest: bytes) -> UUID:
    number = int.from_bytes(digest[:16], "big")
    number &= ~(0xF << 76) & ~(0x3 << 62)
    return UUID(int=number | (0x8 << 76) | (0x2 << 62))
