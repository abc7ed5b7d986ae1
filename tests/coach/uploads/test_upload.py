"""Uploading: what arrives is kept, what is wrong is said in one sentence."""

from __future__ import annotations

import errno
import io
import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.http import HttpResponse
from django.test import Client, override_settings
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Removal, Upload
from coach.storage import places
from coach.uploads import plain_form, services
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, arrived, folder_of
from tests.coach.uploads.handing_in import MP4, URL, filled_in, waiting

pytestmark = pytest.mark.usefixtures("no_broker")

CHECK = "/practise/new/check/"
OnCommit = Callable[..., AbstractContextManager[object]]


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    """Ana's browser."""
    return sign_in(trainee)


def test_the_page_states_the_limits_before_anything_is_sent(client: Client) -> None:
    with override_settings(MAX_UPLOAD_BYTES=300 * 1024**2, MAX_MINUTES=42):
        text = client.get(URL).content.decode()
    assert "300" in text
    assert "42" in text


def test_a_recording_becomes_a_rehearsal_being_analysed(
    client: Client, trainee: User, django_capture_on_commit_callbacks: OnCommit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(URL, filled_in())
    rehearsal = Rehearsal.objects.get(owner=trainee)
    assert response.status_code == 302
    assert response.headers["Location"] == reverse("feedback:analysing", args=[rehearsal.pk])
    assert client.get(response.headers["Location"]).status_code == 200
    upload = Upload.objects.get()
    assert upload.state == "used"
    assert upload.rehearsal == rehearsal
    assert not arrived(upload).exists()
    assert (folder_of(rehearsal) / "original").read_bytes() == MP4


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


@pytest.mark.parametrize("answer", ["first", "second", ""])
def test_whether_it_is_the_first_language_is_kept_with_the_talk(
    answer: str, client: Client, trainee: User
) -> None:
    assert "Is the language of this talk your first language?" in client.get(URL).content.decode()
    client.post(URL, filled_in(speaks_as=answer))
    assert Rehearsal.objects.get(owner=trainee).speaks_as == answer


def test_the_pages_script_is_told_where_to_go(client: Client) -> None:
    response = client.post(URL, filled_in(), headers={"accept": "application/json"})
    assert json.loads(response.content)["next"].endswith("/progress/")


def test_zero_bytes_are_refused_with_a_sentence(client: Client) -> None:
    response = client.post(URL, filled_in(b""))
    assert response.status_code == 422
    assert "recording" in response.context["form"].errors
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
    data = filled_in(title="", recording=SimpleUploadedFile(name, MP4))
    client.post(URL, data)
    rehearsal = Rehearsal.objects.get()
    assert rehearsal.original_name == name
    assert rehearsal.title == "Répétition — 発表 🎤"
    assert places.original(rehearsal.pk).isascii()


def test_a_file_over_the_limit_is_refused_and_nothing_is_stored(client: Client) -> None:
    with override_settings(MAX_UPLOAD_BYTES=10):
        response = client.post(URL, filled_in(MP4))
    assert response.status_code == 422
    assert "the limit here is" in response.content.decode()
    assert not Rehearsal.objects.exists()
    assert not Upload.objects.exists()


def test_a_request_far_over_the_limit_is_refused_before_its_file_is_written(client: Client) -> None:
    with override_settings(MAX_UPLOAD_BYTES=10):
        response = client.post(URL, filled_in(b"x" * 1_200_000))
    assert response.status_code == 422
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


def test_a_plain_form_that_breaks_off_leaves_nothing_and_says_so(
    client: Client, tmp_path: Path
) -> None:
    with override_settings(FILE_UPLOAD_TEMP_DIR=tmp_path / "new"):
        response = cut_short(client, MP4 + bytes(range(256)) * 2000, arrived=200_000)
    assert response.status_code == 422
    assert "so nothing was saved" in response.content.decode()
    assert 'value="Thesis"' in response.content.decode()
    assert not Upload.objects.exists()
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("content", [MP4 + bytes(200_000), b"%PDF-1.7" + bytes(200_000)])
def test_the_temporary_file_goes_with_its_request(
    client: Client, content: bytes, tmp_path: Path
) -> None:
    with override_settings(FILE_UPLOAD_TEMP_DIR=tmp_path):
        client.post(URL, filled_in(content))
        client.post(URL, filled_in(content, aim="boast"))
    assert list(tmp_path.iterdir()) == []


def test_what_finds_no_room_on_the_way_is_refused_and_the_answers_stay(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(TemporaryFileUploadHandler, "receive_data_chunk", full)
    response = client.post(URL, filled_in())
    assert response.status_code == 422
    assert "nothing of what you sent was kept" in response.content.decode()
    assert 'value="Thesis"' in response.content.decode()
    assert not Upload.objects.exists()


def test_what_arrived_meanwhile_counts_when_it_is_stored(
    client: Client, trainee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = services.keep_file

    def beside_another(*, upload: Upload, path: Path) -> None:
        real(upload=upload, path=path)
        waiting(trainee)

    monkeypatch.setattr(plain_form, "keep_file", beside_another)
    with override_settings(MOST_WAITING_UPLOADS=1):
        assert client.post(URL, filled_in()).status_code == 422
    assert Upload.objects.count() == 1
    assert not Rehearsal.objects.exists()
    assert Removal.objects.exists()


def test_what_arrived_can_be_discarded(client: Client, trainee: User) -> None:
    upload = waiting(trainee)
    assert arrived(upload).exists()
    client.post(reverse("rehearsals:discard_upload", args=[upload.pk]))
    assert not Upload.objects.exists()


def test_the_same_file_for_the_same_talk_opens_the_take_that_is_there(client: Client) -> None:
    client.post(URL, filled_in())
    response = client.post(URL, filled_in(), follow=True)
    assert Rehearsal.objects.count() == 1
    assert "You uploaded this file" in response.content.decode()
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


@pytest.fixture
def strict(trainee: User) -> Client:
    """Ana's browser, with the check that a form comes from a page of ours."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(trainee)
    return browser


def test_without_a_csrf_token_not_a_byte_is_stored(strict: Client) -> None:
    assert strict.post(URL, filled_in()).status_code == 403
    assert strict.post(URL, filled_in(csrfmiddlewaretoken="x" * 64)).status_code == 403
    assert not Upload.objects.exists()
    assert not Rehearsal.objects.exists()


def test_with_the_token_before_the_file_it_is_taken(strict: Client) -> None:
    strict.get(URL)
    token = {"csrfmiddlewaretoken": strict.cookies["csrftoken"].value}
    assert strict.post(URL, {**token, **filled_in()}).status_code == 302
    assert Rehearsal.objects.exists()


@pytest.mark.parametrize("role", ["coach", "curator", "researcher", "administrator", None])
def test_only_who_may_practise_sends_recordings(
    role: str | None, db: None, sign_in: SignIn
) -> None:
    client = sign_in(UserFactory(roles=[role] if role else []))
    assert client.get(URL).status_code == 403
    assert client.post(URL, filled_in()).status_code == 403
    assert client.post(CHECK, MP4, content_type="application/octet-stream").status_code == 403
    assert not Upload.objects.exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"%PDF-1.7 slides", "This is a PDF document"),
        (b"\xff\xd8\xff\xe0 photo", "This is a picture"),
        (b"\x00\x00\x00\x18ftypheic", "This is a picture"),
        (b"PK\x03\x04 deck", "This is a document or an archive"),
        (b"#EXTM3U\n/etc/passwd", "This is a list that points at other files"),
        (b"Dear audience", "This is not a recording"),
    ],
)
@pytest.mark.parametrize("size", [0, 2**20, 20 * 2**20])
def test_what_is_no_recording_is_refused_at_its_beginning(
    client: Client, content: bytes, sentence: str, size: int
) -> None:
    whole = content + bytes(size)
    response = client.post(URL, filled_in(whole), headers={"accept": "application/json"})
    assert response.status_code == 422
    assert sentence in response.json()["message"]
    assert not Upload.objects.exists()
    asked = client.post(f"{CHECK}?bytes=9", content, content_type="application/octet-stream")
    assert sentence in asked.json()["message"]


def test_a_recording_can_be_sent_when_nothing_is_in_the_way(client: Client) -> None:
    asked = client.post(f"{CHECK}?bytes=9", MP4, content_type="application/octet-stream")
    assert asked.json() == {"message": ""}
    too_much = client.post(f"{CHECK}?bytes={2**50}", MP4, content_type="application/octet-stream")
    assert "larger than" in too_much.json()["message"]


def test_a_refused_file_does_not_cost_the_answers(client: Client) -> None:
    response = client.post(URL, filled_in(b"%PDF-1.7", title="My slides"))
    assert 'value="My slides"' in response.content.decode()


def test_a_stranger_who_is_not_signed_in_cannot_send_bytes(db: None) -> None:
    assert Client().post(URL, filled_in()).status_code == 302
    assert not Upload.objects.exists()


def test_a_large_file_goes_to_disk_in_pieces(client: Client) -> None:
    content = MP4 + b"0123456789abcdef" * 200_000
    client.post(URL, filled_in(content))
    rehearsal = Rehearsal.objects.get()
    assert rehearsal.size_bytes == len(content)
    assert (folder_of(rehearsal) / "original").read_bytes() == content


def test_of_a_broken_line_the_page_says_what_is_true_then(client: Client) -> None:
    page = client.get(URL).content.decode()
    assert "The upload resumes as soon as it is back" in page
