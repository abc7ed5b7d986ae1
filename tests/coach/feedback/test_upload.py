"""Uploading: what arrives is kept, what is wrong is said in one sentence."""

from __future__ import annotations

import io
import json
import os
import time
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client, override_settings
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.feedback import tasks
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.services import begin_upload, close_abandoned_uploads
from tests.coach.conftest import SignIn

URL = "/practise/new/"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about the web side; the broker has its own."""
    monkeypatch.setattr(tasks.run_stage, "apply_async", lambda *_args, **_kwargs: None)


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    """Ana's browser."""
    return sign_in(trainee)


def filled_in(content: bytes = b"\x00\x00\x00\x18ftypmp42", **changes: Any) -> dict[str, Any]:
    return {
        "title": "Thesis",
        "aim": "inform",
        "audience": "experts",
        "setting": "camera",
        "camera_position": "level",
        "language": "en",
        "time_limit_minutes": "",
        "goal": "",
        "token": str(uuid.uuid4()),
        "expected_bytes": len(content),
        "recording": SimpleUploadedFile("talk.mp4", content),
        **changes,
    }


def test_the_page_states_the_limits_before_anything_is_sent(client: Client) -> None:
    with override_settings(MAX_UPLOAD_BYTES=300 * 1024**2, MAX_MINUTES=42):
        text = client.get(URL).content.decode()
    assert "300" in text
    assert "42" in text


def test_a_recording_becomes_a_rehearsal_being_analysed(client: Client, trainee: User) -> None:
    response = client.post(URL, filled_in())
    rehearsal = Rehearsal.objects.get(owner=trainee)
    assert response.status_code == 302
    assert response.headers["Location"] == reverse("feedback:progress", args=[rehearsal.pk])
    assert client.get(response.headers["Location"]).status_code == 200
    upload = Upload.objects.get()
    assert upload.state == "used"
    assert not upload.path.exists()


def test_looking_into_the_lens_first_reaches_the_analysis(client: Client, trainee: User) -> None:
    client.post(URL, filled_in(looks_into_lens_first="on"))
    rehearsal = Rehearsal.objects.get(owner=trainee)
    assert rehearsal.looks_into_lens_first
    assert rehearsal.runs.get().options["calibration"] == [0.0, 3.0]


def test_nobody_is_taken_to_look_into_the_lens_without_saying_so(
    client: Client, trainee: User
) -> None:
    page = client.get(URL).content.decode()
    assert "I look into the lens for the first three seconds" in page
    client.post(URL, filled_in())
    rehearsal = Rehearsal.objects.get(owner=trainee)
    assert not rehearsal.looks_into_lens_first
    assert rehearsal.runs.get().options["calibration"] is None


def test_showing_slides_is_kept_with_the_talk(client: Client, trainee: User) -> None:
    assert "I show slides" in client.get(URL).content.decode()
    client.post(URL, filled_in(shows_slides="on"))
    assert Rehearsal.objects.get(owner=trainee).shows_slides


def test_the_pages_script_is_told_where_to_go(client: Client) -> None:
    response = client.post(URL, filled_in(), headers={"accept": "application/json"})
    assert json.loads(response.content)["next"].endswith("/progress/")


def test_zero_bytes_are_refused_with_a_sentence(client: Client) -> None:
    response = client.post(URL, filled_in(b""))
    assert response.status_code == 422
    assert "This file is empty" in response.content.decode()
    assert not Rehearsal.objects.exists()


def test_no_file_at_all_is_refused_with_a_sentence(client: Client) -> None:
    data = filled_in()
    del data["recording"]
    response = client.post(URL, data)
    assert response.status_code == 422
    assert "Choose the recording" in response.content.decode()


def test_a_file_name_in_any_script_is_kept_and_names_the_take(client: Client) -> None:
    name = "Répétition — 発表 🎤.mp4"
    data = filled_in(title="", recording=SimpleUploadedFile(name, b"bytes"), expected_bytes=5)
    client.post(URL, data)
    rehearsal = Rehearsal.objects.get()
    assert rehearsal.original_name == name
    assert rehearsal.title == "Répétition — 発表 🎤"
    assert rehearsal.media.path.isascii()


def test_a_file_over_the_limit_is_refused_and_nothing_is_stored(client: Client) -> None:
    with override_settings(MAX_UPLOAD_BYTES=10):
        response = client.post(URL, filled_in(b"x" * 11))
    assert response.status_code == 422
    assert "the limit here is" in response.content.decode()
    assert not Rehearsal.objects.exists()
    assert not Upload.objects.exists()


def test_a_request_far_over_the_limit_is_not_even_read(client: Client) -> None:
    with override_settings(MAX_UPLOAD_BYTES=10):
        response = client.post(URL, filled_in(b"x" * 1_200_000))
    assert response.status_code == 413
    assert "larger than" in response.content.decode()
    assert not Upload.objects.exists()


def cut_short(client: Client, content: bytes, *, arrived: int) -> HttpResponse:
    """A request that claims the whole file, and whose sender goes away before it all came."""
    body = encode_multipart(BOUNDARY, filled_in(content))
    start = body.index(content[:16])
    return client.generic(  # type: ignore[return-value]
        "POST",
        URL,
        body,
        content_type=MULTIPART_CONTENT,
        **{"wsgi.input": io.BytesIO(body[: start + arrived]), "CONTENT_LENGTH": str(len(body))},
    )


def test_a_tab_closed_midway_keeps_what_arrived_and_lets_the_person_go_on(
    client: Client, trainee: User
) -> None:
    content = bytes(range(256)) * 2000
    cut_short(client, content, arrived=200_000)
    upload = Upload.objects.get(owner=trainee)
    assert upload.state == "cut_off"
    assert 0 < upload.received_bytes <= 200_000
    assert upload.path.read_bytes() == content[: upload.received_bytes]
    home = client.get(reverse("feedback:practise")).content.decode()
    page = reverse("feedback:cut_off", args=[upload.pk])
    assert page in home
    assert client.get(page).status_code == 200
    response = client.post(page, filled_in(recording=""))
    rehearsal = Rehearsal.objects.get()
    assert response.headers["Location"] == reverse("feedback:progress", args=[rehearsal.pk])
    assert rehearsal.is_partial


def test_what_arrived_of_a_cut_off_upload_can_be_discarded(client: Client) -> None:
    cut_short(client, b"z" * 300_000, arrived=100_000)
    upload = Upload.objects.get()
    path = upload.path
    assert path.exists()
    client.post(reverse("rehearsals:discard_upload", args=[upload.pk]))
    assert not Upload.objects.exists()


def test_a_file_shorter_than_its_sender_said_is_kept_as_cut_off(client: Client) -> None:
    response = client.post(URL, filled_in(b"short", expected_bytes=50))
    upload = Upload.objects.get()
    assert upload.state == "cut_off"
    assert response.headers["Location"] == reverse("feedback:cut_off", args=[upload.pk])


def test_the_same_file_for_the_same_talk_opens_the_take_that_is_there(client: Client) -> None:
    client.post(URL, filled_in())
    response = client.post(URL, filled_in(), follow=True)
    assert Rehearsal.objects.count() == 1
    assert "You uploaded this same file" in response.content.decode()
    assert Upload.objects.count() == 1


def test_the_same_file_for_another_talk_is_a_take_of_its_own(client: Client) -> None:
    client.post(URL, filled_in())
    client.post(URL, filled_in(aim="persuade"))
    assert Rehearsal.objects.count() == 2


def test_a_double_click_makes_one_take(client: Client) -> None:
    token = str(uuid.uuid4())
    client.post(URL, filled_in(token=token))
    client.post(URL, filled_in(token=token))
    assert Rehearsal.objects.count() == 1
    assert Rehearsal.objects.get().runs.count() == 1


def test_a_wrong_answer_does_not_cost_the_upload(client: Client) -> None:
    response = client.post(URL, filled_in(aim="boast"))
    upload = Upload.objects.get()
    page = reverse("feedback:cut_off", args=[upload.pk])
    assert response.headers["Location"] == page
    assert client.post(page, filled_in(recording="")).status_code == 302
    assert Rehearsal.objects.count() == 1


def test_without_a_csrf_token_nothing_is_stored_as_a_rehearsal(trainee: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(trainee)
    assert strict.post(URL, filled_in()).status_code == 403
    assert not Rehearsal.objects.exists()


def test_a_stranger_who_is_not_signed_in_cannot_send_bytes(db: None) -> None:
    assert Client().post(URL, filled_in()).status_code == 302
    assert not Upload.objects.exists()


def test_a_large_file_goes_to_disk_in_pieces(client: Client) -> None:
    content = io.BytesIO(b"0123456789abcdef" * 200_000).getvalue()
    client.post(URL, filled_in(content))
    rehearsal = Rehearsal.objects.get()
    assert rehearsal.size_bytes == len(content)
    assert (rehearsal.folder / "original").read_bytes() == content


def test_what_a_dead_web_process_was_receiving_is_kept_as_cut_off(trainee: User) -> None:
    upload = begin_upload(owner=trainee, name="talk.mp4", expected_bytes=100)
    upload.path.parent.mkdir(parents=True, exist_ok=True)
    upload.path.write_bytes(b"half of it")
    assert close_abandoned_uploads() == 0
    long_ago = time.time() - 3600
    os.utime(upload.path, (long_ago, long_ago))
    Upload.objects.update(created_at=timezone.now() - timedelta(hours=1))
    assert close_abandoned_uploads() == 1
    upload.refresh_from_db()
    assert (upload.state, upload.received_bytes) == ("cut_off", 10)
