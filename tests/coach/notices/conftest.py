"""A real mail relay on a socket of this machine."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.test import override_settings


class Postbox:
    """What a relay does with what it is given: it keeps it, or refuses whom it is told to."""

    def __init__(self) -> None:
        self.mails: list[Message] = []
        self.refuses: dict[str, str] = {}

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, _server: object, _session: object, envelope: Any, address: str, _options: object
    ) -> str:
        """Take an address, or say why not."""
        if address in self.refuses:
            return self.refuses[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802
        """Keep a mail."""
        self.mails.append(message_from_bytes(envelope.content))
        return "250 OK"


class Relay(Postbox):
    """A postbox that can be shut and opened again at the same place."""

    def __init__(self) -> None:
        super().__init__()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.open()

    def shut(self) -> None:
        self._controller.stop()

    def open(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self._controller.start()


@pytest.fixture
def relay() -> Iterator[Relay]:
    """The site's relay; what has gathered leaves at once."""
    relay = Relay()
    with override_settings(
        EMAIL_BACKEND="coach.lib.mail.BesideEmailBackend",
        EMAIL_HOST="127.0.0.1",
        EMAIL_PORT=relay.port,
        EMAIL_TIMEOUT=5,
        NOTICE_MINUTES=0,
        SITE_ADDRESS="https://rostrum.example.org",
    ):
        yield relay
    relay.shut()
