"""Sending of one message: to the address that was checked, without redirects, in ten seconds."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
import threading
from dataclasses import dataclass
from datetime import UTC
from typing import Final
from urllib.parse import urlsplit

from django.utils import timezone
from standardwebhooks import Webhook

from coach.webhooks.addresses import NotFound, NotPublic, host_of, resolve
from coach.webhooks.models import WebhookMessage

PATIENCE: Final = 5.0
"""Seconds without a byte (rule of thumb)."""
LONGEST: Final = 10.0
"""Seconds in all, for an address that answers byte by byte (rule of thumb)."""

Outcome = WebhookMessage.Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The result of an attempt."""

    outcome: WebhookMessage.Outcome
    status: int | None = None


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


def body_of(message: WebhookMessage) -> str:
    """Return the body of a message: the event, its time, and ids."""
    said = {"type": message.event, "timestamp": message.at.isoformat(), "data": message.data}
    return json.dumps(said, separators=(",", ":"))


def headers_of(message: WebhookMessage, body: str) -> dict[str, str]:
    """Return the signed headers of the Standard Webhooks specification, for this attempt."""
    key, now = f"msg_{message.pk.hex}", timezone.now().astimezone(UTC)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rostrum webhooks",
        "webhook-id": key,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(message.endpoint.secret).sign(key, now, body),
    }


def send(message: WebhookMessage) -> Attempt:
    """Send a message once, and return what happened. Its answer is not read."""
    url = message.endpoint.url
    try:
        host, port = host_of(url)
        address = resolve(host, port)
    except NotPublic:
        return Attempt(outcome=Outcome.NOT_PUBLIC)
    except NotFound:
        return Attempt(outcome=Outcome.UNREACHABLE)
    try:
        status = _post(_Pinned(host, port, address), url, message)
    except (OSError, http.client.HTTPException):
        return Attempt(outcome=Outcome.UNREACHABLE)
    is_taken = 200 <= status < 300
    return Attempt(outcome=Outcome.DELIVERED if is_taken else Outcome.REFUSED, status=status)


def _post(connection: _Pinned, url: str, message: WebhookMessage) -> int:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    body = body_of(message)
    with contextlib.closing(connection):
        connection.connect()
        end = threading.Timer(LONGEST, _hang_up, [connection.sock])
        end.start()
        try:
            connection.request("POST", path, body.encode(), headers_of(message, body))
            return connection.getresponse().status
        finally:
            end.cancel()


def _hang_up(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
