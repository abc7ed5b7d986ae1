"""Mail leaves beside the answer: real SMTP over a socket, to relays that listen or are silent."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from django.core.mail import EmailMessage, get_connection
from django.test import Client, override_settings

from coach.accounts.models import User

RESET = "/accounts/password/reset/"


@pytest.fixture
def relay() -> Iterator[socket.socket]:
    """Takes connections; says nothing by itself. The site sends its mail there."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(8)
        server.settimeout(20)
        with override_settings(
            EMAIL_BACKEND="coach.lib.mail.BesideEmailBackend",
            EMAIL_HOST="127.0.0.1",
            EMAIL_PORT=server.getsockname()[1],
            EMAIL_TIMEOUT=20,
        ):
            yield server


def take_a_mail(server: socket.socket) -> str:
    """As a relay does: greet, nod, and keep what comes."""
    connection, _address = server.accept()
    kept, is_data = [], False
    with connection, connection.makefile("rwb", buffering=0) as line:
        line.write(b"220 relay\r\n")
        for said in iter(line.readline, b""):
            kept.append(said.decode())
            if is_data and said != b".\r\n":
                continue
            if said.upper().startswith(b"QUIT"):
                line.write(b"221 bye\r\n")
                break
            line.write(b"354 go on\r\n" if said.upper().startswith(b"DATA") else b"250 fine\r\n")
            is_data = said.upper().startswith(b"DATA")
    return "".join(kept)


def test_nobody_waits_for_a_relay_that_is_silent(relay: socket.socket, trainee: User) -> None:
    answer = Client().post(RESET, {"email": trainee.email})
    assert answer.headers["Location"] == f"{RESET}done/"
    connection, _address = relay.accept()
    with connection:
        # The answer is here, and the mail still waits to be greeted.
        connection.setblocking(False)
        with pytest.raises(BlockingIOError):
            connection.recv(1)


def test_the_mail_arrives(relay: socket.socket, trainee: User) -> None:
    Client().post(RESET, {"email": trainee.email})
    mail = take_a_mail(relay)
    assert "rcpt to:<ana@example.org>" in mail.lower()
    assert "/accounts/password/reset/key/" in mail


def test_a_relay_that_is_away_leaves_the_answer_as_it_is(
    relay: socket.socket, trainee: User
) -> None:
    relay.close()
    answer = Client().post(RESET, {"email": trainee.email})
    assert answer.headers["Location"] == f"{RESET}done/"


def test_whoever_asks_to_wait_learns_of_trouble_and_of_success(relay: socket.socket) -> None:
    message = EmailMessage("Hello", "There", "a@example.org", ["b@example.org"])
    thread = threading.Thread(target=take_a_mail, args=(relay,))
    thread.start()
    assert get_connection(at_once=True).send_messages([message]) == 1
    thread.join()
    relay.close()
    with pytest.raises(OSError, match="refused"):
        get_connection(at_once=True).send_messages([message])
