"""Delivery of webhooks to a real server, and attacks on the address."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from coach.accounts.models import User
from coach.webhooks import addresses, public_requests
from coach.webhooks.addresses import NotPublic, check_literal, check_public, resolve
from coach.webhooks.keys import secret_of
from coach.webhooks.models import Event, WebhookEndpoint, WebhookMessage
from coach.webhooks.services import (
    WAITS,
    add_endpoint,
    announce,
    deliver_due,
    forget_messages,
    withdraw_message,
)
from tests.coach.webhooks.receiver import HOST, Receiver, certificate, listening

pytestmark = pytest.mark.django_db

TAKE = {"take_id": "6f8a"}
_ask = socket.getaddrinfo


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A server on this machine, which only this test takes for a public one."""
    pem = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    monkeypatch.setattr(public_requests, "resolve", lambda _host, _port: "127.0.0.1")
    with listening(pem) as started:
        yield started


@pytest.fixture
def endpoint(receiver: Receiver, administrator: User) -> WebhookEndpoint:
    add_endpoint(url=receiver.url, events=list(Event), actor=administrator)
    return WebhookEndpoint.objects.get()


def message() -> WebhookMessage:
    return WebhookMessage.objects.get()


def due_now() -> None:
    WebhookMessage.objects.filter(next_at__isnull=False).update(next_at=timezone.now())


def test_a_message_is_signed_and_holds_ids_only(
    endpoint: WebhookEndpoint, receiver: Receiver
) -> None:
    announce(event=Event.REPORT_READY, data=TAKE)
    assert deliver_due() == 1
    path, headers, body = receiver.got[0]
    assert path == "/rostrum?of=us"
    assert headers["Host"] == f"{HOST}:{receiver.port}"
    said = Webhook(secret_of(endpoint)).verify(body, headers)
    assert (said["type"], said["data"]) == ("report.ready", TAKE)
    assert set(json.loads(body)) == {"type", "timestamp", "data"}
    with pytest.raises(WebhookVerificationError):
        Webhook(secret_of(endpoint)).verify(body.replace(b"6f8a", b"6f8b"), headers)
    assert (message().outcome, message().status, message().next_at) == ("delivered", 200, None)
    assert deliver_due() == 0


def test_it_is_tried_again_later_and_later_with_the_same_id(
    endpoint: WebhookEndpoint, receiver: Receiver
) -> None:
    announce(event=Event.REPORT_READY, data=TAKE)
    receiver.status = 500
    for number, wait in enumerate(WAITS, start=1):
        before = timezone.now()
        assert deliver_due() == 1
        said = message()
        assert (said.attempts, said.outcome, said.status) == (number, "refused", 500)
        assert said.next_at is not None
        assert said.next_at - before >= wait
        assert deliver_due() == 0
        due_now()
    assert deliver_due() == 1
    assert message().next_at is None
    assert len({headers["webhook-id"] for _path, headers, _body in receiver.got}) == 1
    assert len(receiver.got) == len(WAITS) + 1


def test_an_address_that_is_gone_gets_nothing_more(
    endpoint: WebhookEndpoint, receiver: Receiver
) -> None:
    for _number in range(2):
        announce(event=Event.REPORT_READY, data=TAKE)
    receiver.status = 410
    assert deliver_due() == 1
    endpoint.refresh_from_db()
    assert not endpoint.is_active
    assert not WebhookMessage.objects.exclude(next_at=None).exists()


@pytest.mark.parametrize("to", ["http://169.254.169.254/latest", "https://localhost/", "/other"])
def test_a_redirect_is_not_followed(to: str, endpoint: WebhookEndpoint, receiver: Receiver) -> None:
    announce(event=Event.REPORT_READY, data=TAKE)
    receiver.status, receiver.headers = 307, {"Location": to}
    deliver_due()
    assert len(receiver.got) == 1
    assert (message().outcome, message().status) == ("refused", 307)


def test_an_address_that_answers_byte_by_byte_holds_nothing_up(
    endpoint: WebhookEndpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_requests, "LONGEST", 0.5)
    announce(event=Event.REPORT_READY, data=TAKE)
    receiver.drips = True
    before = time.monotonic()
    deliver_due()
    assert time.monotonic() - before < public_requests.PATIENCE
    assert message().outcome == "unreachable"


def test_a_certificate_for_another_name_is_refused(
    endpoint: WebhookEndpoint, receiver: Receiver
) -> None:
    WebhookEndpoint.objects.update(url=receiver.url.replace(HOST, "other.example.org"))
    announce(event=Event.REPORT_READY, data=TAKE)
    deliver_due()
    assert not receiver.got
    assert message().outcome == "unreachable"


def test_only_what_was_chosen_is_sent_and_an_event_can_be_withdrawn(
    endpoint: WebhookEndpoint,
) -> None:
    WebhookEndpoint.objects.update(events=[Event.REVIEW_SENT])
    announce(event=Event.REPORT_READY, data=TAKE)
    assert not WebhookMessage.objects.exists()
    later = timezone.now() + timedelta(minutes=1)
    announce(event=Event.REVIEW_SENT, data=TAKE, at=later)
    assert deliver_due() == 0
    withdraw_message(event=Event.REVIEW_SENT, data=TAKE)
    assert not WebhookMessage.objects.exists()


def test_the_log_is_kept_for_thirty_days(endpoint: WebhookEndpoint) -> None:
    announce(event=Event.REPORT_READY, data=TAKE)
    assert forget_messages() == 0
    WebhookMessage.objects.update(at=timezone.now() - timedelta(days=31))
    assert forget_messages() == 1


NOT_PUBLIC = [
    "127.0.0.1", "127.1.2.3", "10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "0.0.0.1", "255.255.255.255", "224.0.0.1", "192.0.0.1",
    "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1",
    "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    "2001:0:53aa:64c:0:0:80ff:fffe", "::ffff:0:127.0.0.1",
]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_addresses_of_other_networks_are_refused(address: str) -> None:
    with pytest.raises(NotPublic):
        check_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111"])
def test_public_ones_are_not(address: str) -> None:
    check_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/", "ftp://hooks.example.org/", "file:///etc/passwd",
        "https://", "https:///x", "https://me:pw@hooks.example.org/", "https://x.example.org/#a",
        "https://localhost/", "https://LOCALHOST./", "https://a.localhost/",
        "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
        "https://0x7f.1/", "https://0177.0.0.1/", "https://017700000001/", "https://0/",
        "https://[::1]/", "https://[::ffff:169.254.169.254]/", "https://[fe80::1%25eth0]/",
        "https://169.254.169.254/latest/meta-data/", "https://2852039166/",
        "https://hooks.example.org:0/", "https://hooks.example.org:99999/",
    ],
)  # fmt: skip
def test_an_address_that_says_where_it_leads_is_refused_at_once(
    url: str, administrator: User
) -> None:
    with pytest.raises(NotPublic):
        check_literal(url)


def answers_of(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
    """Let a name server of the attacker's answer one list after another."""
    waiting = list(answers)

    def asked(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if host != HOST or kwargs.get("flags"):
            return _ask(host, port, *args, **kwargs)
        found = waiting.pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", asked)


def test_one_private_address_among_several_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers_of(monkeypatch, ["93.184.216.34", "10.0.0.5"])
    with pytest.raises(NotPublic):
        resolve(HOST, 443)


def test_a_name_that_leads_elsewhere_the_second_time_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, administrator: User
) -> None:
    connected: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], *_more: object) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(public_requests.socket, "create_connection", connect)
    answers_of(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    add_endpoint(url=f"https://{HOST}/", events=list(Event), actor=administrator)
    announce(event=Event.REPORT_READY, data=TAKE)
    deliver_due()
    assert connected == [("93.184.216.34", 443)]
    due_now()
    # The next attempt resolves again, and is refused.
    deliver_due()
    assert len(connected) == 1
    assert message().outcome == "not_public"


def test_the_environment_names_no_proxy(
    endpoint: WebhookEndpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    announce(event=Event.REPORT_READY, data=TAKE)
    deliver_due()
    assert message().outcome == "delivered"
