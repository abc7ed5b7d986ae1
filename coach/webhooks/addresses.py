"""Public addresses of a webhook: resolved once, checked, and then connected to as they are."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

_EMBEDDING: Final = tuple(
    ipaddress.IPv6Network(each)
    for each in (
        "::/96",  # IPv4-compatible
        "::ffff:0:0/96",  # IPv4-mapped
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",  # NAT64 of a network
        "2001::/32",  # Teredo
        "2002::/16",  # 6to4
    )
)
"""Networks whose addresses lead to an IPv4 address that we would have to check as well."""


class NotPublic(Exception):
    """An error: the address is not one of the public internet, or not one for a webhook."""


class NotFound(Exception):
    """An error: the name of the host has no address."""


def host_of(url: str) -> tuple[str, int]:
    """Return host and port of an address. Raises NotPublic unless it is plain https."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise NotPublic from error
    is_plain = parts.username is None and parts.password is None and not parts.fragment
    if parts.scheme != "https" or not host or not is_plain or "%" in host or port == 0:
        raise NotPublic
    return host, port or 443


def check_literal(url: str) -> None:
    """Raise NotPublic for an address of another network that is written as a number.

    Also in the forms that only the C library knows: 2130706433, 0x7f.1, 0177.1. It asks no server.
    """
    host, port = host_of(url)
    if host.rstrip(".").endswith("localhost"):
        raise NotPublic
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return
    for each in found:
        check_public(str(each[4][0]))


def resolve(host: str, port: int) -> str:
    """Return the numeric address to connect to. Raises NotPublic and NotFound.

    If one of several addresses is not public, none is used.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotFound from error
    addresses = [str(each[4][0]) for each in found]
    for address in addresses:
        check_public(address)
    return addresses[0]


def check_public(address: str) -> None:
    """Raise NotPublic for a numeric address that is not of the public internet."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError as error:
        raise NotPublic from error
    if isinstance(found, ipaddress.IPv6Address) and any(found in each for each in _EMBEDDING):
        raise NotPublic
    # RFC 3879: a site's own, which Python counts among the public ones.
    is_site = isinstance(found, ipaddress.IPv6Address) and found.is_site_local
    if not found.is_global or found.is_multicast or found.is_reserved or is_site:
        raise NotPublic
