"""Emails that came back, from a real IMAP server with TLS, for emails that a real relay took."""

from __future__ import annotations

import imaplib
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client, override_settings
from django.urls import reverse

from coach.accounts.models import User
from coach.notices.bounces import failures_in, read_bounces
from coach.notices.mailing import mail_round
from coach.notices.models import Bounce, Kind
from coach.notices.services import notify
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.notices.conftest import Relay

ADDRESS, PASSWORD = "bounces@rostrum.example.org", "secret"


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert, private


class Mailbox:
    """The mailbox of the site, on a server of this machine."""

    def __init__(self, folder: Path) -> None:
        self.certificate, key = certificate(folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        server = Path(sys.executable).with_name("pymap")
        serve = [str(server), "--host", "127.0.0.1", "--port", str(self.port)]
        tls = ["--cert", str(self.certificate), "--key", str(key)]
        user = ["dict", "--demo-user", ADDRESS, "--demo-password", PASSWORD]
        self.process = subprocess.Popen([*serve, *tls, *user])
        deadline = time.monotonic() + 30
        while not self._answers():
            assert time.monotonic() < deadline, "the IMAP server did not start"
            time.sleep(0.1)

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _open(self) -> imaplib.IMAP4:
        opened = imaplib.IMAP4("127.0.0.1", self.port)
        opened.starttls(ssl._create_unverified_context())  # noqa: S323
        opened.login(ADDRESS, PASSWORD)
        return opened

    def put(self, content: bytes) -> None:
        with self._open() as opened:
            opened.append("INBOX", "", None, content)  # type: ignore[arg-type]

    def count(self) -> int:
        with self._open() as opened:
            return int(opened.select("INBOX")[1][0] or 0)


@pytest.fixture
def mailbox(relay: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """The site's mailbox, with a certificate that this process trusts."""
    mailbox = Mailbox(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(mailbox.certificate))
    with override_settings(
        BOUNCES_HOST="localhost",
        BOUNCES_PORT=mailbox.port,
        BOUNCES_ADDRESS=ADDRESS,
        BOUNCES_PASSWORD=PASSWORD,
    ):
        yield mailbox
    mailbox.process.terminate()
    mailbox.process.wait(20)


def report(
    sent: Message, recipient: str, *, status: str = "5.1.1", action: str = "failed"
) -> bytes:
    """A delivery report as relays write it (RFC 3464), with the headers of the email."""
    return (
        "From: mailer-daemon@relay.example\r\nTo: " + ADDRESS + "\r\nSubject: Undelivered\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; relay.example\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        "--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: {sent['Message-ID']}\r\nTo: {recipient}\r\n\r\n--b--\r\n"
    ).encode()


@pytest.fixture
def sent(mailbox: Mailbox, relay: Relay, take: Rehearsal, trainee: User) -> Message:
    """An email that the relay took and could not deliver."""
    notify(person=trainee, kind=Kind.QUESTION, rehearsal=take, about=take)
    assert mail_round() == 1
    return relay.mails[-1]


def test_an_address_that_does_not_work_gets_no_more_emails(
    sent: Message,
    mailbox: Mailbox,
    relay: Relay,
    take: Rehearsal,
    trainee: User,
    sign_in: SignIn,
    administrator: User,
) -> None:
    assert sent["From"] == "rostrum@localhost"
    mailbox.put(report(sent, trainee.email.upper()))
    assert read_bounces() == 1
    assert mailbox.count() == 0, "a report that was understood is deleted"
    notify(person=trainee, kind=Kind.ANSWER, rehearsal=take, about=take)
    assert mail_round() == 0
    people = reverse("portal:people")
    assert "5.1.1" in sign_in(administrator).get(people, {"state": "unreachable"}).text

    client = sign_in(trainee)
    again = reverse("notices:send_again")
    assert again in client.get(reverse("notices:list")).text
    client.post(again)
    assert not Bounce.objects.exists()
    assert mail_round() == 1


def test_another_address_is_written_to_at_once(
    sent: Message, mailbox: Mailbox, take: Rehearsal, trainee: User
) -> None:
    mailbox.put(report(sent, trainee.email))
    assert read_bounces() == 1
    User.objects.filter(pk=trainee.pk).update(email="ana.new@school.example")
    notify(person=trainee, kind=Kind.ANSWER, rehearsal=take, about=take)
    assert mail_round() == 1


def test_other_reports_change_nothing_and_stay_in_the_mailbox(
    sent: Message, mailbox: Mailbox, trainee: User, coach: User
) -> None:
    forged = Message()
    forged["Message-ID"] = "<" + "0" * 24 + "." + "0" * 32 + "@rostrum.example.org>"
    others = [
        report(sent, coach.email),  # quotes an email to another person
        report(forged, trainee.email),
        report(sent, trainee.email, status="5.2.2"),  # a full mailbox
        report(sent, trainee.email, status="4.1.1", action="delayed"),
        b"Subject: Out of office\r\n\r\nBack on Monday.\r\n",
        b"Content-Type: message/delivery-status\r\n\r\n\xff\xfe",
        b"",
    ]
    for each in others:
        mailbox.put(each or b"\r\n")
    assert read_bounces() == 0
    assert read_bounces() == 0
    assert not Bounce.objects.exists()
    assert mailbox.count() == len(others)


@pytest.mark.parametrize("status", ["5.1.10", "5.2.1", "5.4.1"])
def test_both_addresses_of_an_alias_are_tried(status: str) -> None:
    alias = report(Message(), "x@b.example", status=status).replace(
        b"Final-Recipient", b"Original-Recipient: rfc822;<x@a.example>\r\nFinal-Recipient"
    )
    assert [(each.address, each.status) for each in failures_in(alias)] == [
        ("x@a.example", status),
        ("x@b.example", status),
    ]


def test_a_mailbox_that_cannot_be_read_is_logged(
    mailbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    with override_settings(BOUNCES_PASSWORD="another"):
        assert read_bounces() == 0
    assert "cannot be read" in caplog.text
    mailbox.process.terminate()
    mailbox.process.wait(20)
    assert read_bounces() == 0


def test_a_stranger_signs_in_first(db: None) -> None:
    assert Client().post(reverse("notices:send_again")).status_code == 302
