"""Pages of a recording: for those who take names out alone, and how far it is."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import LegalHold, Role, User
from coach.accounts.services import set_hold
from coach.audit.models import Entry
from coach.lib.personal_data import PersonalData
from coach.research.coding.models import Recording
from coach.research.personal_data import PERSONAL_DATA
from coach.storage import places
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory, place
from tests.coach.research.recordings.pages import VIEWS, url

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("method", "name"), VIEWS)
def test_there_is_no_such_page_for_anybody_else(
    method: str, name: str, written: Recording, coder: User, trainee: User, sign_in: SignIn
) -> None:
    outsider = UserFactory(email="olu@example.org", roles=[Role.RESEARCHER])
    for user in (coder, outsider, trainee):
        assert getattr(sign_in(user), method)(url(written, name)).status_code == 404, user
    answer = getattr(Client(), method)(url(written, name))
    assert answer.status_code == 302
    written.refresh_from_db()
    assert written.state == "done"


def test_who_listens_is_written_down_once_an_hour_and_told_to_who_is_heard(
    written: Recording, researcher: User, trainee: User, sign_in: SignIn
) -> None:
    assert written.media_key is not None
    place(places.copy_to_play(written.media_key), b"0123456789")
    client = sign_in(researcher)
    assert client.get(url(written, "recording_media")).status_code == 404
    Recording.objects.update(has_copy=True)
    for _each in range(2):
        answer = client.get(url(written, "recording_media"), headers={"Range": "bytes=2-4"})
        assert answer.status_code == 206
        assert b"".join(answer.streaming_content) == b"234"
    assert Entry.objects.filter(action="research.recording_heard").count() == 1
    assert "Rui" in client.get(url(written)).content.decode()
    data: PersonalData = PERSONAL_DATA
    (row,) = data.export(trainee)["recorded_interviews"]
    assert [each["by__name"] for each in row["opened_by"]] == ["Rui"]


@pytest.mark.parametrize(
    ("state", "words"),
    [("queued", "waiting for a worker"), ("failed", "Transcribe again"), ("stopped", "Stopped")],
)
def test_the_page_says_how_far_it_is(
    state: str, words: str, arrived: Recording, researcher: User, sign_in: SignIn
) -> None:
    Recording.objects.update(state=state)
    client = sign_in(researcher)
    assert words in client.get(url(arrived)).content.decode()
    polled = client.get(url(arrived, "recording_now"))
    assert ("HX-Refresh" in polled.headers) is (state != "queued")
    listed = client.get(reverse("research:interviews", args=[arrived.study.slug]))
    assert url(arrived) in listed.content.decode()


def test_steps_are_the_three_that_there_are(
    arrived: Recording, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    for step, state in (("stop", "stopped"), ("again", "queued"), ("delete", "removed")):
        client.post(url(arrived, "recording_step"), {"step": step})
        arrived.refresh_from_db()
        assert arrived.state == state
    assert client.post(url(arrived, "recording_step"), {"step": "x"}).status_code == 404
    assert client.get(url(arrived, "recording_media")).status_code == 404
    assert "permanently deleted" in client.get(url(arrived)).content.decode()


def test_what_is_held_is_not_deleted_and_says_so(
    written: Recording, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    set_hold(hold=LegalHold(user=trainee, reason="a claim"), actor=researcher)
    answer = sign_in(researcher).post(
        url(written, "recording_step"), {"step": "delete"}, follow=True
    )
    assert "a legal hold applies" in answer.content.decode()
    assert "a claim" not in answer.content.decode()
    written.refresh_from_db()
    assert written.is_here
