"""Uploads that a person or a machine interrupted: kept, offered, analysable, and let go in time."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone, translation

from coach.accounts.models import Cohort, User
from coach.audit.models import Entry
from coach.feedback.models import Run
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.retention import upload_kept_until
from coach.rehearsals.services import delete_rehearsal
from coach.storage import places, storage
from coach.uploads.limits import upload_obstacle
from coach.uploads.services import close_abandoned_uploads, expire_uploads
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, arrived, folder_of, lies_at
from tests.coach.uploads.handing_in import MP4, URL, filled_in, on_disk, waiting

pytestmark = pytest.mark.usefixtures("no_broker")

OnCommit = Callable[..., AbstractContextManager[object]]


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    """Ana's browser."""
    return sign_in(trainee)


def left_behind(owner: User, content: bytes, *, expected_bytes: int = 10**6) -> Upload:
    """What the database knows when a web process died three minutes ago."""
    upload = Upload.objects.create(
        owner=owner,
        name="talk.mp4",
        expected_bytes=expected_bytes,
        context={"title": "Thesis"},
        is_resumable=True,
    )
    on_disk(upload, content)
    ago = timezone.now() - timedelta(minutes=3)
    Upload.objects.filter(pk=upload.pk).update(updated_at=ago)
    return upload


def aged(upload: Upload, days: int) -> None:
    Upload.objects.filter(pk=upload.pk).update(updated_at=timezone.now() - timedelta(days=days))


def test_one_that_still_arrives_is_left_alone(trainee: User) -> None:
    upload = Upload.objects.create(owner=trainee, name="talk.mp4", expected_bytes=100)
    on_disk(upload, b"half of it")
    assert close_abandoned_uploads() == 0


@pytest.mark.parametrize(
    ("content", "expected_bytes", "state"),
    [(MP4, 10**6, "cut_off"), (MP4 + bytes(200_000), 200_000 + len(MP4), "complete")],
)
def test_what_a_dead_web_process_or_database_left_can_be_analysed(
    client: Client, trainee: User, content: bytes, expected_bytes: int, state: str
) -> None:
    upload = left_behind(trainee, content, expected_bytes=expected_bytes)
    assert close_abandoned_uploads() == 1
    upload.refresh_from_db()
    assert (upload.state, upload.received_bytes) == (state, len(content))
    page = reverse("feedback:cut_off", args=[upload.pk])
    assert 'value="Thesis"' in client.get(page).content.decode()
    response = client.post(page, filled_in(recording=""))
    take = Rehearsal.objects.get()
    assert response.headers["Location"] == reverse("feedback:analysing", args=[take.pk])
    assert take.sha256 == hashlib.sha256(content).hexdigest()
    assert (folder_of(take) / "original").read_bytes() == content
    assert take.is_partial == (state == "cut_off")


def test_of_an_upload_that_brought_nothing_nothing_stays(trainee: User) -> None:
    left_behind(trainee, b"")
    close_abandoned_uploads()
    assert not Upload.objects.exists()


def test_a_disk_that_is_full_when_it_is_stored_is_told_as_such(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shutil, "copyfile", full)
    assert client.post(URL, filled_in()).status_code == 507
    assert not Upload.objects.exists()


def test_no_upload_begins_where_the_disk_is_nearly_full(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    free = shutil.disk_usage(settings.MEDIA_ROOT).free
    with override_settings(LEAST_FREE_BYTES=free + 10**9):
        response = client.post(URL, filled_in(), headers={"accept": "application/json"})
        asked = client.post("/practise/new/check/", MP4, content_type="application/octet-stream")
    assert response.status_code == 422
    for answer in (response, asked):
        assert "The disk of this site is nearly full" in answer.json()["message"]
    assert "no room for an upload" in caplog.text
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ({"MOST_WAITING_UPLOADS": 1}, "You have 1 unfinished upload"),
        ({"MOST_BYTES_OF_A_PERSON": 20}, "Delete takes you no longer need"),
        ({"ANALYSES_PER_HOUR": 1}, "We started 1 analysis for you within the last hour."),
    ],
)
def test_one_person_has_only_so_much_room(
    client: Client, trainee: User, limit: dict[str, int], sentence: str
) -> None:
    waiting(trainee)
    Run.objects.create(rehearsal=RehearsalFactory(owner=trainee))
    with override_settings(**limit):
        asked = client.post(
            "/practise/new/check/?bytes=9", MP4, content_type="application/octet-stream"
        )
        assert sentence in asked.json()["message"]
        response = client.post(URL, filled_in(), follow=True)
    assert sentence in response.content.decode()
    assert Rehearsal.objects.count() == 1


def test_a_group_has_only_so_much_room(client: Client, trainee: User, cohort: Cohort) -> None:
    stored = RehearsalFactory(owner=trainee, cohort=cohort)
    Cohort.objects.update(most_gigabytes=1)
    assert not upload_obstacle(owner=trainee, expected_bytes=9)
    Rehearsal.objects.filter(pk=stored.pk).update(size_bytes=2**30)
    assert cohort.name in upload_obstacle(owner=trainee, expected_bytes=9)
    assert client.post(URL, filled_in(), headers={"accept": "application/json"}).status_code == 422
    assert Rehearsal.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "count", "sentence"),
    [
        ("en", 0, "You have 0 unfinished uploads."),
        ("en", 1, "You have 1 unfinished upload. Analyse or discard it on"),
        ("en", 2, "You have 2 unfinished uploads. Analyse or discard some of them on"),
        ("fr", 0, "0 envoi de votre part attend une décision."),
        ("fr", 1, "1 envoi de votre part attend une décision. Faites-le analyser ou supprimez-le"),
        ("fr", 2, "2 envois de votre part attendent une décision. Faites-en analyser"),
    ],
)
@pytest.mark.parametrize("meant_for", ["", "interview"])
def test_one_that_waits_is_not_said_to_be_many(
    trainee: User, language: str, count: int, sentence: str, meant_for: str
) -> None:
    for _number in range(count):
        upload = waiting(trainee)
        Upload.objects.filter(pk=upload.pk).update(meant_for=meant_for)
    with override_settings(MOST_WAITING_UPLOADS=count), translation.override(language):
        said = upload_obstacle(owner=trainee, expected_bytes=9, meant_for=meant_for)
    opening = sentence if not meant_for else sentence[: sentence.index(".")]
    assert said.startswith(opening)


def test_what_others_have_here_takes_nobodys_room(
    client: Client, stranger: User, trainee: User
) -> None:
    waiting(stranger)
    Upload.objects.create(owner=stranger, name="now.mp4", expected_bytes=100)
    with override_settings(UPLOADS_AT_ONCE=1, MOST_WAITING_UPLOADS=1, ANALYSES_PER_HOUR=1):
        assert client.post(URL, filled_in()).status_code == 302
    assert Rehearsal.objects.get().owner == trainee


def test_an_upload_that_waits_says_until_when(client: Client, trainee: User) -> None:
    upload = waiting(trainee)
    with override_settings(KEEP_UPLOADS_DAYS=3):
        day = f"{timezone.localtime(upload_kept_until(upload)):%Y}"
        assert (
            f"We keep the uploaded part until {timezone.localtime(upload_kept_until(upload)).day} "
            in client.get("/practise/").content.decode()
        )
        page = client.get(reverse("feedback:cut_off", args=[upload.pk])).content.decode()
    assert "It stays here until" in page
    assert day in page


def test_what_nobody_decided_on_is_deleted_in_time_and_that_is_said(
    client: Client, trainee: User, django_capture_on_commit_callbacks: OnCommit
) -> None:
    late, fresh = waiting(trainee), waiting(trainee)
    aged(late, settings.KEEP_UPLOADS_DAYS + 1)
    with django_capture_on_commit_callbacks(execute=True):
        expire_uploads()
    assert not arrived(late).exists()
    assert arrived(fresh).exists()
    assert Entry.objects.filter(action="rehearsals.upload_expired").count() == 1
    home = client.get("/practise/").content.decode()
    assert f"for {settings.KEEP_UPLOADS_DAYS} days and deleted it on" in home
    with override_settings(KEEP_UPLOADS_DAYS=1):
        assert "for 1 day and deleted it on" in client.get("/practise/").content.decode()
    assert reverse("feedback:cut_off", args=[late.pk]) not in home
    answer = client.get(reverse("feedback:cut_off", args=[late.pk]), follow=True)
    assert "was deleted" in answer.content.decode()


def test_the_notice_of_a_deleted_upload_goes_as_well(trainee: User) -> None:
    upload = waiting(trainee)
    Upload.objects.update(state=Upload.State.EXPIRED)
    aged(upload, 31)
    expire_uploads()
    assert not Upload.objects.exists()


def test_a_second_tab_on_the_same_upload_comes_to_the_same_take(
    client: Client, trainee: User
) -> None:
    page = reverse("feedback:cut_off", args=[waiting(trainee).pk])
    first = client.post(page, filled_in(recording="", token=str(uuid.uuid4())))
    second = client.post(page, filled_in(recording="", token=str(uuid.uuid4())))
    assert first.headers["Location"] == second.headers["Location"]
    assert Rehearsal.objects.count() == 1


def test_what_became_a_take_is_not_discarded_any_more(client: Client, trainee: User) -> None:
    upload = waiting(trainee)
    client.post(reverse("feedback:cut_off", args=[upload.pk]), filled_in(recording=""))
    answer = client.post(
        reverse("rehearsals:discard_upload", args=[upload.pk]), follow=True
    ).content.decode()
    assert "This upload is already a take" in answer
    assert (folder_of(Rehearsal.objects.get()) / "original").exists()


def test_an_upload_goes_with_the_take_that_it_became(client: Client, trainee: User) -> None:
    client.post(URL, filled_in())
    delete_rehearsal(rehearsal=Rehearsal.objects.get())
    assert not Upload.objects.exists()


def test_a_file_system_without_second_names_gets_a_copy(
    trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_names: Path) -> None:
        raise OSError(errno.EPERM, "not here")

    monkeypatch.setattr(os, "link", refuse)
    upload, take = waiting(trainee), uuid.uuid4()
    storage().adopt(upload.pk, take)
    assert lies_at(places.original(take)).read_bytes() == arrived(upload).read_bytes()
