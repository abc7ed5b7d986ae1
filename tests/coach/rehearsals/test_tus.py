"""The tus protocol, header by header. Real clients: tests/coach/custody/test_tus_clients.py."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.rehearsals.custody import custody
from coach.rehearsals.models import Upload
from coach.rehearsals.retention import upload_kept_until
from coach.rehearsals.tus import receiving
from coach.rehearsals.uploads import (
    StillArriving,
    close_abandoned_uploads,
    complete_upload,
    expire_uploads,
)
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, arrived
from tests.coach.feedback.handing_in import MP4
from tests.coach.full_database import fill

OnCommit = Callable[..., AbstractContextManager[object]]

TALK = MP4 + os.urandom(300_000)
PIECE = "application/offset+octet-stream"


class Sender:
    """A client of the protocol, as strict as the text of it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.url = ""

    def ask(self, method: str, url: str = "", body: bytes = b"", **headers: str) -> HttpResponse:
        sent = {"Tus-Resumable": "1.0.0"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        kind = sent.pop("Content-Type", PIECE if body or method == "PATCH" else "")
        given: dict[str, Any] = {"content_type": kind, "headers": sent, "CONTENT_TYPE": kind}
        answer = self.client.generic(method, url or self.url, body, **given)
        assert answer.headers["Tus-Resumable"] == "1.0.0"
        return answer

    def begin(self, length: int | None = len(TALK), **more: str) -> HttpResponse:
        size = {"Upload_Defer_Length": "1"} if length is None else {"Upload_Length": str(length)}
        answer = self.ask("POST", reverse("rehearsals:tus"), **size, **more)
        self.url = answer.headers.get("Location", "")
        return answer

    def send(self, piece: bytes, offset: int, **more: str) -> HttpResponse:
        return self.ask("PATCH", body=piece, Upload_Offset=str(offset), **more)

    def offset(self) -> int:
        return int(self.ask("HEAD").headers["Upload-Offset"])

    @property
    def upload(self) -> Upload:
        return Upload.objects.get(pk=self.url.split("/")[-2])


@pytest.fixture
def sender(trainee: User, sign_in: SignIn) -> Sender:
    """Ana's client."""
    return Sender(sign_in(trainee))


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


def test_one_request_writes_at_a_time_and_one_that_fell_silent_is_passed(sender: Sender) -> None:
    sender.begin()
    sender.send(TALK[:100], 0)
    held = Upload.objects.filter(pk=sender.upload.pk)
    held.update(written_until=timezone.now() + timedelta(seconds=5))
    assert sender.send(TALK[100:200], 100).status_code == 423
    assert sender.ask("HEAD").status_code == 423
    held.update(written_until=timezone.now() - timedelta(seconds=1))
    assert sender.send(TALK[100:200], 100).status_code == 204


@pytest.mark.parametrize(("writes", "asks"), [(60, 0), (-60, 0), (0, 60), (0, -60)])
def test_who_writes_is_told_by_one_clock_on_every_machine(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, writes: int, asks: int
) -> None:
    right = timezone.now

    def set_clock(off: int) -> None:
        monkeypatch.setattr(timezone, "now", lambda: right() + timedelta(seconds=off))

    class Body:
        def read(self, size: int) -> bytes:
            until = held.get().written_until
            assert until is not None
            left = until - right()
            assert timedelta() < left <= timedelta(seconds=receiving.LEASE_SECONDS + 1)
            set_clock(asks)
            assert sender.ask("HEAD").status_code == 423
            set_clock(writes)
            return TALK[:size]

    sender.begin()
    held = Upload.objects.filter(pk=sender.upload.pk)
    set_clock(writes)
    piece = receiving.Piece(offset=0, length=100, body=Body())
    receiving.append(owner=sender.upload.owner, upload_id=sender.upload.pk, piece=piece)
    set_clock(asks)
    assert sender.ask("HEAD").status_code == 200


def test_a_database_without_room_is_said_and_what_arrived_is_kept(sender: Sender) -> None:
    sender.begin()
    sender.send(TALK[:100], 0)
    fill(Upload._meta.db_table, event="UPDATE", when="NEW.writer IS NOT NULL")
    answer = sender.send(TALK[100:200], 100)
    assert answer.status_code == 507
    assert "What had arrived is kept" in answer.json()["message"]
    assert sender.offset() == 100


def test_who_was_passed_writes_no_more(
    sender: Sender, monkeypatch: pytest.MonkeyPatch, trainee: User
) -> None:
    monkeypatch.setattr(receiving, "_RENEW_SECONDS", 0.0)
    sender.begin()
    upload = sender.upload

    class Slow:
        def read(self, size: int) -> bytes:
            if arrived(upload).stat().st_size:
                Upload.objects.filter(pk=upload.pk).update(writer=None)
            return TALK[:size]

    piece = receiving.Piece(offset=0, length=200_000, body=Slow())
    with pytest.raises(receiving.Refusal) as refused:
        receiving.append(owner=trainee, upload_id=upload.pk, piece=piece)
    assert refused.value.status == 423
    assert arrived(upload).stat().st_size == 65536


@pytest.mark.parametrize("way", ["ends", "raises"])
def test_what_came_of_a_piece_that_broke_off_is_kept(
    sender: Sender, trainee: User, way: str
) -> None:
    sender.begin()

    class Breaking:
        def __init__(self) -> None:
            self.left = 3

        def read(self, size: int) -> bytes:
            self.left -= 1
            if self.left:
                return TALK[:1000]
            if way == "raises":
                raise ConnectionResetError
            return b""

    piece = receiving.Piece(offset=0, length=len(TALK), body=Breaking())
    upload = receiving.append(owner=trainee, upload_id=sender.upload.pk, piece=piece)
    assert upload.received_bytes == sender.offset() == 2000


def test_where_a_disk_fills_up_it_is_said_and_kept(
    sender: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    sender.begin()
    with override_settings(LEAST_FREE_BYTES=2**60):
        answer = sender.send(TALK[:100], 0)
    assert answer.status_code == 422
    assert "nearly full" in answer.json()["message"]
    assert sender.send(TALK[:100], 0).status_code == 204
    with override_settings(LEAST_FREE_BYTES=2**60):
        answer = sender.send(TALK[100:200], 100)
    assert answer.status_code == 507
    assert "What had arrived is kept" in answer.json()["message"]
    assert sender.offset() == 100


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
    assert (answer.status_code, "waits for a decision" in answer.json()["message"]) == (422, True)
    with override_settings(MOST_BYTES_OF_A_PERSON=len(TALK)):
        assert sender.begin().status_code == 422


def silent(upload: Upload) -> None:
    ago = timezone.now() - timedelta(minutes=3)
    Upload.objects.filter(pk=upload.pk).update(created_at=ago, updated_at=ago)


def test_one_that_fell_silent_is_offered_and_can_still_be_gone_on_with(sender: Sender) -> None:
    sender.begin()
    sender.send(TALK[:100_000], 0)
    assert close_abandoned_uploads() == 0
    with pytest.raises(StillArriving):
        complete_upload(upload=sender.upload)
    silent(sender.upload)
    assert close_abandoned_uploads() == 1
    assert (sender.upload.state, sender.upload.received_bytes) == ("cut_off", 100_000)
    assert sender.offset() == 100_000
    assert sender.send(TALK[100_000:], 100_000).status_code == 204
    assert sender.upload.state == "complete"


def test_of_one_that_brought_nothing_nothing_stays(sender: Sender) -> None:
    sender.begin()
    silent(sender.upload)
    close_abandoned_uploads()
    assert not Upload.objects.exists()


def test_the_last_byte_counts_also_where_nobody_could_write_it_down(sender: Sender) -> None:
    sender.begin()
    intake = custody().receive(sender.upload.pk)
    intake.write(TALK)
    intake.close()
    assert sender.offset() == len(TALK)
    assert sender.upload.state == "complete"


def test_its_time_ends_as_it_was_told(sender: Sender) -> None:
    sender.begin()
    sender.send(TALK[:100_000], 0)
    told = parsedate_to_datetime(sender.ask("HEAD").headers["Upload-Expires"])
    assert abs(told - upload_kept_until(sender.upload)) < timedelta(seconds=2)
    silent(sender.upload)
    close_abandoned_uploads()
    long_ago = timezone.now() - timedelta(days=15)
    Upload.objects.filter(pk=sender.upload.pk).update(updated_at=long_ago)
    assert expire_uploads() == 1
    assert sender.ask("HEAD").status_code == 410
    assert sender.send(TALK[100_000:], 100_000).status_code == 410
