"""One request to a public address: to the address that was checked, without redirects, in ten
seconds.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from coach.webhooks.addresses import host_of, resolve

PATIENCE: Final = 5.0
"""Seconds without a byte (rule of thumb)."""
LONGEST: Final = 10.0
"""Seconds in all, for an address that answers byte by byte (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer to a request; its body is read only if the caller wants it."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class _Pinned(http.client.HTTPSConnection):
    """A connection to a numeric address, with the certificate of a name.

    A name that resolves differently the next time changes nothing: nobody asks again.
    """

    def __init__(self, host: str, port: int, address: str) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, port, timeout=PATIENCE, context=self._tls)
        self._address = address

    def connect(self) -> None:
        """Connect to the address that was checked."""
        bare = socket.create_connection((self._address, self.port), PATIENCE)
        try:
            self.sock = self._tls.wrap_socket(bare, server_hostname=self.host)
        except BaseException:
            bare.close()
            raise


def ask(
    url: str,
    *,
    method: str = "GET",
    headers: Mapping[str, str],
    body: bytes | None = None,
    most_bytes: int = 0,
) -> Reply:
    """Send one request, and return its answer with a body of at most `most_bytes`.

    Raises NotPublic, NotFound, OSError, and HTTPException, also for a longer body.
    """
    host, port = host_of(url)
    connection = _Pinned(host, port, resolve(host, port))
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    with contextlib.closing(connection):
        connection.connect()
        end = threading.Timer(LONGEST, _hang_up, [connection.sock])
        end.start()
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            found = answer.read(most_bytes + 1) if most_bytes else b""
        finally:
            end.cancel()
    if len(found) > most_bytes:
        raise http.client.HTTPException  # longer than allowed
    return Reply(status=answer.status, body=found, headers={**answer.headers})


def _hang_up(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
