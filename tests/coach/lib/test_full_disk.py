"""A form with a file for which the disk has no room is answered in words, and nothing is kept."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.files import temp
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.drafts.services import save_submitted_draft
from coach.lib.files import full_disk
from coach.research.exports import document_views
from coach.research.exports.models import BundleImport
from coach.research.studies.models import Questionnaire, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD
from tests.coach.full_database import fill
from tests.coach.research.making import make_study

LARGE = 3 * 1024 * 1024
"""More than is kept in memory, so that it is written to the disk."""
FULL = "The disk of this site is full"


class Device:
    """A file on its way, on the device that never has room."""

    name = "/dev/full"

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        self.file = Path(self.name).open("rb+")  # noqa: SIM115

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of a form has room."""
    monkeypatch.setattr(temp, "NamedTemporaryFile", Device)


def large(name: str = "project.qdpx") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, b"x" * LARGE)


@pytest.mark.usefixtures("full")
def test_a_form_with_a_large_file_says_that_nothing_was_kept(
    researcher: User, sign_in: SignIn
) -> None:
    answer = sign_in(researcher).post(reverse("research:load"), {"file": large()})
    assert answer.status_code == full_disk.NO_ROOM_STATUS == 507
    assert f"{FULL}: nothing of what you sent was kept." in answer.content.decode()
    assert not BundleImport.objects.exists()
    assert not Study.objects.exists()


@pytest.mark.usefixtures("full")
def test_so_does_one_whose_other_fields_would_be_enough(researcher: User, sign_in: SignIn) -> None:
    study = make_study(researcher)
    form = {"title": "Calm", "moment": "before", "language": "en", "questions": "I was calm."}
    url, client = reverse("research:questionnaire", args=[study.slug]), sign_in(researcher)
    assert FULL in client.post(url, {**form, "file": large("scale.csv")}).content.decode()
    assert not Questionnaire.objects.exists()
    assert client.post(url, form).status_code == 302
    assert Questionnaire.objects.exists()


@pytest.mark.usefixtures("full")
def test_who_sends_is_checked_all_the_same(researcher: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(researcher)
    load = reverse("research:load")
    assert client.post(load, {"file": large()}).status_code == 403
    client.get(load)
    token = client.cookies["csrftoken"].value
    assert client.post(load, {"csrfmiddlewaretoken": token, "file": large()}).status_code == 507
    headers = {"X-CSRFToken": token, "Accept": "application/json"}
    answer = client.post(load, {"file": large()}, headers=headers)
    assert (answer.status_code, FULL in answer.json()["message"]) == (507, True)


@pytest.mark.usefixtures("full")
def test_a_kept_form_that_is_sent_again_stays_kept(researcher: User, sign_in: SignIn) -> None:
    load = reverse("research:load")
    kept = save_submitted_draft(
        user=researcher, url=load, page=load, fields=[("language", "en")], files=[]
    )
    assert sign_in(researcher).post(f"{load}?draft={kept.pk}", {"file": large()}).status_code == 507
    assert FormDraft.objects.filter(pk=kept.pk).exists()


@pytest.mark.usefixtures("full")
def test_what_needs_no_room_works_as_before(researcher: User, sign_in: SignIn) -> None:
    answer = sign_in(researcher).post("/accounts/login/", {"login": "a", "password": PASSWORD})
    assert answer.status_code != 507


def test_a_disk_that_is_full_once_the_file_has_arrived_is_said_as_well(
    researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client, load = sign_in(researcher), reverse("research:load")
    (tmp_path / "bundle").symlink_to("/dev/full")
    monkeypatch.setattr(document_views, "scratch", lambda: nullcontext(tmp_path))
    answer = client.post(load, {"file": SimpleUploadedFile("project.qdpx", b"x" * 9000)})
    assert (answer.status_code, FULL in answer.content.decode()) == (507, True)
    assert not BundleImport.objects.exists()
    assert not Study.objects.exists()


def test_other_failures_of_the_disk_are_no_full_disk(
    researcher: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_args: Any, **_kwargs: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    client = sign_in(researcher)
    client.raise_request_exception = False
    monkeypatch.setattr(temp, "NamedTemporaryFile", fails)
    assert client.post(reverse("research:load"), {"file": large()}).status_code == 500


def test_a_large_file_arrives_whole_where_there_is_room(researcher: User, sign_in: SignIn) -> None:
    answer = sign_in(researcher).post(reverse("research:load"), {"file": large()})
    assert answer.status_code == 302
    assert BundleImport.objects.get().name == "project"


def test_a_database_without_room_is_a_full_disk_too(researcher: User, sign_in: SignIn) -> None:
    client = sign_in(researcher)
    form = {"title": "Breathing", "least_group": 5, "recording_days": 20}
    fill(Study._meta.db_table)
    answer = client.post(reverse("research:new_study"), form)
    assert answer.status_code == 507
    assert f"{FULL}: nothing of what you sent was kept." in answer.content.decode()
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_a_database_that_is_away_is_no_full_disk() -> None:
    with pytest.raises(OperationalError) as away, connection.cursor() as cursor:
        cursor.execute("DO $$ BEGIN RAISE 'too many' USING ERRCODE = '53300'; END $$")
    assert not full_disk.is_full(away.value)
