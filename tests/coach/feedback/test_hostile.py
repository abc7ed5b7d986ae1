"""What no form of ours sends, and what two clicks at the same moment come to."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback import releases, services, verdicts
from coach.feedback.items import items_for_reading
from coach.feedback.models import Feedback, Verdict
from coach.rehearsals.models import AccessGrant, Rehearsal, Upload
from tests.coach.conftest import SignIn


def answers(**changed: str) -> dict[str, object]:
    return {
        "title": "Talk",
        "aim": "inform",
        "audience": "experts",
        "setting": "camera",
        "language": "en",
        "token": "8a4f7e36-0f5d-4d0a-8d77-6f1c1f0a8a11",
        "recording": SimpleUploadedFile("talk.mp4", b"\0\0\0\x18ftypmp42" + bytes(2000)),
        **changed,
    }


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Let them go at the same time, each with a connection of its own."""
    start = threading.Barrier(len(acts), timeout=60)

    def run(act: Callable[[], object]) -> object:
        start.wait()
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_a_null_character_in_a_note_is_left_out(
    take: Rehearsal, coach: User, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:send", args=[take.pk])
    assert sign_in(trainee).post(url, {"note": "My\0 opening."}).status_code == 302
    assert AccessGrant.objects.get().note == "My opening."


@pytest.mark.parametrize("field", ["title", "aim"])
def test_a_null_character_in_an_answer_loses_no_recording(
    field: str, trainee: User, sign_in: SignIn
) -> None:
    response = sign_in(trainee).post(reverse("feedback:new"), answers(**{field: "a\0b"}))
    upload = Upload.objects.get()
    assert response.headers["Location"] == reverse("feedback:cut_off", args=[upload.pk])
    assert upload.context[field] == "ab"


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_the_same_moment_store_one_take_and_keep_no_second_copy(
    trainee: User, sign_in: SignIn
) -> None:
    def click() -> object:
        return sign_in(trainee).post(reverse("feedback:new"), answers()).headers["Location"]

    first, second = at_once(click, click)
    progress = reverse("feedback:analysing", args=[Rehearsal.objects.get().pk])
    assert (first, second) == (progress, progress)
    assert [upload.state for upload in Upload.objects.all()] == ["used"]
    assert Rehearsal.objects.get().form_token == uuid.UUID(str(answers()["token"]))


@pytest.mark.django_db(transaction=True)
def test_what_is_added_while_it_is_released_does_not_become_a_fourth_item(
    draft: Feedback, coach: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = verdicts.CoachItem(
        tone="improvement", quality="structure", claim="x", suggestion="", clips=((1.0, 2.0),)
    )
    verdicts.decide_on_item(item=draft.items.get(), coach=coach, kind=Verdict.Kind.ACCEPT)
    for _item in range(2):
        verdicts.add_coach_item(feedback=draft, coach=coach, words=words)
    counted, added = threading.Event(), threading.Event()
    obstacle = releases.release_obstacle

    def slowly(feedback: Feedback) -> str:
        found = obstacle(feedback)
        counted.set()
        added.wait(0.5)
        return found

    def add() -> None:
        counted.wait(5)
        with pytest.raises((services.AlreadyReleased, ValidationError)):
            verdicts.add_coach_item(feedback=draft, coach=coach, words=words)
        added.set()

    monkeypatch.setattr(releases, "release_obstacle", slowly)
    at_once(lambda: releases.release_feedback(feedback=draft, coach=coach), add)
    draft.refresh_from_db()
    assert draft.state == Feedback.State.RELEASED
    assert len(items_for_reading(draft)) == 3
