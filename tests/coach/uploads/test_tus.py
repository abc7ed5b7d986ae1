"""The tus protocol, header by header. Real clients: tests/coach/custody/test_tus_clients.py."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from email.utils import parsedate_to_datetime

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.rehearsals.models import Upload
from coach.uploads.services import complete_upload
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, arrived
from tests.coach.uploads.tus_sender import TALK, Sender

OnCommit = Callable[..., AbstractContextManager[object]]


def metadata(**values: str) -> str:
    pairs = [f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items()]
    return ",".join(pairs)


def checksum(content: bytes, algorithm: str = "sha1") -> str:
    digest = hashlib.new(algorithm, content).digest()
    return f"{algorithm} {base64.b64encode(digest).decode()}"


def test_a_recording_comes_in_pieces_and_is_all_there(sender: Sender) -> None:
    answers = json.dumps({"title": "Défense de thèse", "aim": "inform", "odd": 3})
    said = metadata(filename="répétition.mp4", answers=answers)
    answer = sender.begin(Upload_Metadata=said)
    assert answer.status_code == 201
    assert parsedate_to_datetime(answer.headers["Upload-Expires"]) > timezone.now()
    for first in range(0, len(TALK), 70_000):
        piece = TALK[first : first + 70_000]
        answer = sender.send(piece, first)
        assert (answer.status_code, answer.headers["Upload-Offset"]) == (
            204,
            str(first + len(piece)),
        )
        answer = sender.ask("HEAD")
        assert answer.headers["Upload-Length"] == str(len(TALK))
        assert answer.headers["Upload-Metadata"] == said
        assert answer.headers["Cache-Control"] == "no-store"
    upload = sender.upload
    assert (upload.state, upload.received_bytes) == ("complete", len(TALK))
    assert (upload.name, upload.context["title"]) == ("répétition.mp4", "Défense de thèse")
    assert "odd" not in upload.context
    assert arrived(upload).read_bytes() == TALK
    assert complete_upload(upload=upload).sha256 == hashlib.sha256(TALK).hexdigest()
    # A client that lost the last answer asks again, and is told that all is there.
    assert sender.offset() == len(TALK)
    assert sender.send(b"", len(TALK)).status_code == 204


@pytest.mark.parametrize("key", ["answers", "capture"])
def test_answers_that_are_nested_by_the_thousand_are_none(key: str, sender: Sender) -> None:
    said = metadata(filename="talk.mp4", **{key: "[" * 5500})
    assert sender.begin(Upload_Metadata=said).status_code == 201
    assert (sender.upload.context, sender.upload.capture) == ({}, {})


def test_its_options_say_what_it_can(sender: Sender) -> None:
    answer = Client().options(reverse("rehearsals:tus"))
    assert answer.status_code == 204
    assert answer.headers["Tus-Version"] == "1.0.0"
    assert int(answer.headers["Tus-Max-Size"]) > 2**31
    assert "sha1" in answer.headers["Tus-Checksum-Algorithm"]
    for extension in ("creation", "expiration", "checksum", "termination"):
        assert extension in answer.headers["Tus-Extension"].split(",")


def test_another_version_is_refused_and_nothing_is_done(sender: Sender) -> None:
    answer = sender.ask("POST", reverse("rehearsals:tus"), Tus_Resumable="0.2.2", Upload_Length="9")
    assert (answer.status_code, answer.headers["Tus-Version"]) == (412, "1.0.0")
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Upload_Length": "-1"},
        {"Upload_Length": "٣"},
        {"Upload_Length": "9" * 30},
        {"Upload_Length": "9", "Upload_Defer_Length": "1"},
        {"Upload_Defer_Length": "2"},
        {"Upload_Length": "9", "Upload_Metadata": "filename not/base64!"},
    ],
)
def test_what_cannot_be_read_begins_nothing(sender: Sender, headers: dict[str, str]) -> None:
    assert sender.ask("POST", reverse("rehearsals:tus"), **headers).status_code == 400
    assert not Upload.objects.exists()


def test_a_piece_for_another_place_is_refused_and_changes_nothing(sender: Sender) -> None:
    sender.begin()
    sender.send(TALK[:1000], 0)
    for offset in (0, 999, 1001, len(TALK)):
        assert sender.send(TALK[1000:2000], offset).status_code == 409
    assert sender.offset() == 1000
    assert arrived(sender.upload).read_bytes() == TALK[:1000]


def test_a_piece_of_another_kind_or_beyond_the_end_is_refused(sender: Sender) -> None:
    sender.begin(1000)
    form = sender.ask("PATCH", body=b"x", Upload_Offset="0", Content_Type="text/html")
    assert form.status_code == 415
    assert sender.ask("PATCH", body=b"x").status_code == 400
    assert sender.send(TALK[:1001], 0).status_code == 413
    assert sender.offset() == 0


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_what_does_not_add_up_is_thrown_away(sender: Sender, algorithm: str) -> None:
    sender.begin()
    said = checksum(TALK[:5000], algorithm)
    flipped = bytes([TALK[4999] ^ 1])  # a fixed byte is the right one in one run of 256
    answer = sender.send(TALK[:4999] + flipped, 0, Upload_Checksum=said)
    assert answer.status_code == 460
    assert sender.offset() == 0
    assert sender.send(TALK[:5000], 0, Upload_Checksum=said).status_code == 204
    assert sender.offset() == 5000
    for unknown in ("crc9 AAAA", f"{algorithm} AAAA", algorithm):
        assert sender.send(b"x", 5000, Upload_Checksum=unknown).status_code == 400


def test_how_long_it_is_may_be_said_at_the_end(sender: Sender) -> None:
    sender.begin(None)
    assert sender.ask("HEAD").headers["Upload-Defer-Length"] == "1"
    sender.send(TALK[:1000], 0)
    sender.send(TALK[1000:], 1000)
    assert sender.upload.state == "receiving"
    assert sender.send(b"", len(TALK), Upload_Length=str(len(TALK))).status_code == 204
    assert sender.upload.state == "complete"


def test_the_first_piece_may_come_with_its_beginning(sender: Sender) -> None:
    answer = sender.ask(
        "POST", reverse("rehearsals:tus"), TALK[:9000], Upload_Length=str(len(TALK))
    )
    assert (answer.status_code, answer.headers["Upload-Offset"]) == (201, "9000")


def test_a_network_that_knows_post_only_can_send_as_well(sender: Sender) -> None:
    sender.begin()
    more = {"X_HTTP_Method_Override": "PATCH", "Upload_Offset": "0"}
    assert sender.ask("POST", body=TALK[:100], **more).status_code == 204
    assert sender.ask("POST", X_HTTP_Method_Override="DELETE").status_code == 204
    assert not Upload.objects.exists()


def test_its_owner_ends_it_and_it_is_gone_and_on_record(
    sender: Sender, django_capture_on_commit_callbacks: OnCommit
) -> None:
    sender.begin()
    sender.send(TALK[:100], 0)
    file = arrived(sender.upload)
    with django_capture_on_commit_callbacks(execute=True):
        assert sender.ask("DELETE").status_code == 204
    assert not file.exists()
    assert Entry.objects.filter(action="rehearsals.upload_discarded").exists()
    assert sender.ask("HEAD").status_code == 404
    assert sender.send(b"x", 100).status_code == 404


def test_to_everybody_else_there_is_none(sender: Sender, stranger: User, sign_in: SignIn) -> None:
    sender.begin()
    sender.send(TALK[:100], 0)
    other = Sender(sign_in(stranger))
    other.url = sender.url
    for answer in (other.ask("HEAD"), other.send(b"x", 100), other.ask("DELETE")):
        assert answer.status_code == 404
    nobody = Sender(Client())
    nobody.url = sender.url
    for answer in (nobody.ask("HEAD"), nobody.send(b"x", 100), nobody.ask("DELETE")):
        assert answer.status_code == 401
    assert nobody.begin().status_code == 401
    assert sender.offset() == 100


def test_who_may_not_practise_begins_none(sign_in: SignIn, db: None) -> None:
    assert Sender(sign_in(UserFactory(roles=[]))).begin().status_code == 403


def test_a_page_elsewhere_cannot_send_in_somebodys_name(trainee: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(trainee)
    forged = Sender(client)
    assert forged.begin().status_code == 403
    form = forged.ask("POST", reverse("rehearsals:tus"), b"a=b", Content_Type="multipart/form-data")
    assert form.status_code == 415
    client.get(reverse("feedback:new"))
    token = client.cookies["csrftoken"].value
    assert forged.begin(X_CSRFToken=token).status_code == 201


def test_what_is_no_recording_is_refused_with_its_first_piece(sender: Sender) -> None:
    sender.begin(200_000)
    text = b"These are the minutes of our meeting.\n" * 3000
    answer = sender.send(text, 0)
    assert answer.status_code == 422
    assert "not a recording" in answer.json()["message"]
    assert not Upload.objects.exists()
    sender.begin(300)
    assert sender.send(text[:100], 0).status_code == 204
    assert sender.send(text[100:300], 100).status_code == 422
    assert not Upload.objects.exists()


def test_too_much_is_refused_before_and_while_it_comes(sender: Sender) -> None:
    with override_settings(MAX_UPLOAD_BYTES=1000):
        assert sender.begin(1001).status_code == 413
        sender.begin(None)
        assert sender.send(TALK[:1001], 0).status_code == 413
        assert sender.send(TALK[:1000], 0).status_code == 204
        assert sender.send(b"x", 1000).status_code == 413
    assert sender.begin(0).status_code == 422
    with override_settings(MOST_WAITING_UPLOADS=1):
        answer = sender.begin()
    assert (answer.status_code, "unfinished upload" in answer.json()["message"]) == (422, True)
    with override_settings(MOST_BYTES_OF_A_PERSON=len(TALK)):
        assert sender.begin().status_code == 422
