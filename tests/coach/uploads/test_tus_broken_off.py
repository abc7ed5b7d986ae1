"""An upload over tus that was passed, broke off, found no room or fell silent."""

from __future__ import annotations

from datetime import timedelta
from email.utils import parsedate_to_datetime

import pytest
from django.test import override_settings
from django.utils import timezone

from coach.accounts.models import User
from coach.rehearsals.models import Upload
from coach.rehearsals.retention import upload_kept_until
from coach.storage import storage
from coach.uploads.services import (
    StillArriving,
    close_abandoned_uploads,
    complete_upload,
    expire_uploads,
)
from coach.uploads.tus import receiving
from tests.coach.factories import arrived
from tests.coach.full_database import fill
from tests.coach.uploads.tus_sender import TALK, Sender


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
    assert "The uploaded part is saved" in answer.json()["message"]
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
    assert "The uploaded part is saved" in answer.json()["message"]
    assert sender.offset() == 100


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
    writer = storage().resume(sender.upload.pk)
    writer.write(TALK)
    writer.close()
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
