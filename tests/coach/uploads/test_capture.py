"""What the record page is told of picture and sound while somebody sets up."""

from __future__ import annotations

import io
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Upload
from coach.uploads import views as recording
from coach.uploads.device_check import AT_ONCE, Busy, Looker
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory

LOOK = reverse("feedback:look")


@pytest.fixture
def client(trainee: User, sign_in: SignIn) -> Client:
    """Ana's browser."""
    return sign_in(trainee)


def picture() -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (320, 180)).save(content, "JPEG")
    return content.getvalue()


def test_only_the_page_that_records_may_ask_for_camera_and_microphone(client: Client) -> None:
    page = client.get(reverse("feedback:record"))
    assert page.headers["Permissions-Policy"] == "camera=(self), microphone=(self)"
    for other in (reverse("feedback:new"), reverse("portal:about"), "/no-such-page/"):
        answer = client.get(other)
        assert answer.headers["Permissions-Policy"] == "camera=(), microphone=()"


def recorded(owner: User, name: str, state: Upload.State, **capture: bool) -> Upload:
    upload = Upload.objects.create(
        owner=owner, name=name, expected_bytes=9, is_resumable=True, capture=capture
    )
    Upload.objects.filter(pk=upload.pk).update(state=state, received_bytes=9)
    return upload


def test_takes_that_arrived_and_wait_are_found_again_where_they_were_recorded(
    client: Client, trainee: User
) -> None:
    upload = recorded(trainee, "Recording one.webm", Upload.State.COMPLETE, picture=True)
    recorded(trainee, "used.webm", Upload.State.USED, picture=True)
    recorded(trainee, "a file.mp4", Upload.State.COMPLETE)
    recorded(UserFactory(), "of a stranger.webm", Upload.State.COMPLETE, picture=True)
    page = client.get(reverse("feedback:record")).content.decode()
    assert "“Recording one” is saved. Complete its details to start the analysis." in page
    assert page.count("Complete its details") == 1
    assert page.count(reverse("feedback:cut_off", args=[upload.pk])) == 1
    assert "Complete the details" in page
    assert "Choose what to do" not in page
    assert not {each for each in ("used.webm", "a file.mp4", "of a stranger") if each in page}


@pytest.mark.parametrize(
    ("state", "seconds_ago", "said"),
    [
        (Upload.State.RECEIVING, 1, "is still recording, or was just interrupted."),
        (Upload.State.RECEIVING, 20, "Your recording “Talk” was interrupted."),
        (Upload.State.CUT_OFF, 90, "Your recording “Talk” was interrupted."),
    ],
)
def test_an_interrupted_recording_is_told_at_once_before_anything_else(
    client: Client, trainee: User, take: Rehearsal, state: Upload.State, seconds_ago: int, said: str
) -> None:
    upload = recorded(trainee, "Talk.webm", state, picture=True)
    at = timezone.now() - timedelta(seconds=seconds_ago)
    Upload.objects.filter(pk=upload.pk).update(updated_at=at)
    recorded(trainee, "a file.mp4", Upload.State.RECEIVING)
    page = client.get(reverse("feedback:takes")).content.decode()
    assert said in page
    assert "a file.mp4" not in page
    lead = page[page.index('class="lead"') : page.index("</header>", page.index('class="lead"'))]
    assert ("was interrupted" in lead) is (seconds_ago > 10)
    to_decide = reverse("feedback:cut_off", args=[upload.pk])
    where = to_decide if state == Upload.State.CUT_OFF else reverse("feedback:record")
    assert f'href="{where}"' in page
    assert client.get(where).status_code == 200
    assert take.title in page


def test_who_has_recorded_is_not_told_that_nothing_is_recorded(
    client: Client, trainee: User
) -> None:
    home = reverse("feedback:takes")
    begin = "Record two or three minutes of a talk you are preparing."
    assert begin in client.get(home).content.decode()
    recorded(trainee, "Recording one.webm", Upload.State.COMPLETE, picture=True)
    page = client.get(home).content.decode()
    assert begin not in page
    assert "Tell us about your recording." in page


@pytest.mark.parametrize(
    ("query", "length", "status"),
    [
        ("", 10, 400),
        ("?kind=film", 10, 400),
        ("?kind=picture", 10, 400),
        ("?kind=picture&width=-1&height=9", 10, 400),
        ("?kind=picture&width=99999&height=9", 10, 400),
        ("?kind=sound", 200_000, 413),
    ],
)
def test_what_is_no_picture_and_no_sound_is_refused(
    client: Client, query: str, length: int, status: int
) -> None:
    kind = "application/octet-stream"
    assert client.post(LOOK + query, bytes(length), content_type=kind).status_code == status


def test_where_it_is_busy_the_page_is_told_to_ask_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_asked: object) -> None:
        raise Busy

    monkeypatch.setattr(recording.looker, "ask", busy)
    answer = client.post(
        LOOK + "?kind=sound", bytes(32_000), content_type="application/octet-stream"
    )
    assert answer.status_code == 503


def test_who_waits_for_the_check_leaves_threads_for_pages() -> None:
    looker, asked = Looker(), 4 * AT_ONCE
    with looker._turn, ThreadPoolExecutor(asked) as pool:
        all_at_once = [pool.submit(looker.ask, "sound", bytes(9)) for _each in range(asked)]
        refused, waiting = wait(all_at_once, return_when=FIRST_COMPLETED)
        while len(refused) < asked - AT_ONCE:
            more, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            refused |= more
        assert len(waiting) == AT_ONCE  # of whom nobody was told anything yet
        assert all(isinstance(each.exception(timeout=30), Busy) for each in all_at_once)
    assert looker._process is None


def test_a_dark_picture_and_a_silent_room_are_said_in_words(faces: Path) -> None:
    looker = Looker()
    try:
        (finding,) = looker.ask("picture", picture(), width=1280, height=720)
        assert finding["state"] == "improve"
        assert finding["words"].startswith("The picture is dark.")
        (finding,) = looker.ask("sound", bytes(96_000))
        assert finding["words"].startswith("No voice was heard.")
        # Hostile bytes say nothing and end nothing.
        assert looker.ask("picture", b"\xff\xd8\xffnonsense", width=1280, height=720) == []
        process = looker._process
        assert process is not None
        process.kill()
        process.wait()
        (finding,) = looker.ask("sound", bytes(96_000))
        assert finding["topic"] == "level"
    finally:
        looker.end()
