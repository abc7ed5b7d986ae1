"""A coach records a spoken reply at a moment of the take, and finds it on the review page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, BrowserType, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal, Upload
from coach.review.spoken import tasks
from coach.review.spoken.models import SpokenReply
from coach.uploads import views as booth
from tests.coach.conftest import SignIn
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker and the check of the sound have tests of their own."""
    monkeypatch.setattr(tasks.process_reply, "apply_async", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(booth.looker, "ask", lambda *_args, **_about: [])


@pytest.fixture
def studio(
    browser_type: BrowserType, browser_type_launch_args: dict[str, object], tmp_path: Path
) -> Iterator[Browser]:
    """A Chromium that hears a file."""
    sound = tmp_path / "sound.wav"
    sound.write_bytes(wav_bytes(4))
    launch = dict(browser_type_launch_args)
    launch["args"] = [
        *(launch.get("args") or ()),  # type: ignore[misc]
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-audio-capture={sound}",
    ]
    started = browser_type.launch(**launch)  # type: ignore[arg-type]
    yield started
    started.close()


def test_a_reply_is_recorded_at_the_time_of_the_recording(
    studio: Browser, live_server: LiveServer, sign_in: SignIn, coach: User, sent_take: Rehearsal
) -> None:
    page = studio.new_context(viewport={"width": 390, "height": 844}).new_page()
    mark = sign_in(coach).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": mark, "url": live_server.url}]
    )
    page.goto(live_server.url + reverse("review:desk", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelector('[data-player]').currentTime = 12")
    page.get_by_role("link", name="Record a reply here").click()
    page.wait_for_url(re.compile(r"at=12\.00"))
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Turn on the microphone").click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[2-9]"), timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url(re.compile(r"/review/[0-9a-f-]+/#spoken"))
    expect(page.locator("#spoken").get_by_text("Being prepared.")).to_be_visible()
    reply = SpokenReply.objects.get()
    assert (reply.at, reply.author, reply.state) == (12.0, coach, "queued")
    assert not Upload.objects.exists()
