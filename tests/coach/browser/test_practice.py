"""Practising in a real browser: the count-down of an exercise, a stretch and an exercise that are
recorded, and a moment that plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserType, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.feedback import tasks
from coach.practice.redo.services import begin_span
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal
from coach.uploads import views as recording
from tests.coach.factories import PASSWORD, RehearsalFactory
from tests.coach.feedback.recordings import wav_bytes
from tests.coach.practice.takes import finish

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_exercise_counts_down_and_both_a_stretch_and_an_exercise_are_recorded(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, object],
    live_server: LiveServer,
    trainee: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks.run_stage, "apply_async", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(recording.looker, "ask", lambda *_args, **_about: [])
    sound = tmp_path / "sound.wav"
    sound.write_bytes(wav_bytes(4))
    take = RehearsalFactory(owner=trainee, has_video=False, playback_type="audio/wav")
    span = begin_span(take=take, start=0.0, end=30.0, metric="pitch.sd_semitones")
    args = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    launch = dict(browser_type_launch_args)
    launch["args"] = [
        *(launch.get("args") or ()),  # type: ignore[misc]
        *args,
        f"--use-file-for-fake-audio-capture={sound}",
    ]
    browser = browser_type.launch(**launch)  # type: ignore[arg-type]
    page = browser.new_context().new_page()
    drill = reverse("practice:exercise", args=["two_places"])
    page.goto(f"{live_server.url}/accounts/login/?next={drill}")
    page.locator("input[name=login]").fill(trainee.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(f"{live_server.url}{drill}")

    page.get_by_role("button", name="Begin").click()
    steps = page.locator("[data-step]")
    expect(steps.first).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Next step").click()
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    # It stands still at the next step too, however late anybody looks.
    expect(page.locator("[data-clock]")).to_have_text("0:40 · 2:20")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-clock]")).not_to_have_text("0:40 · 2:20")
    for _step in range(4):
        page.get_by_role("button", name="Next step").click()
    expect(page.get_by_role("button", name="Mark as done")).to_be_focused()

    page.goto(f"{live_server.url}{reverse('practice:span', args=[span.pk])}")
    expect(page.get_by_label("Microphone only")).to_be_checked()
    page.get_by_role("button", name=re.compile("^Turn on")).click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[1-9]"))
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    expect(page.get_by_text("We measure both recordings in the same way.")).to_be_visible()
    again = Rehearsal.any_kind.get(kind=Kind.AGAIN)
    assert again.parent == take
    assert not Rehearsal.objects.exclude(pk=take.pk).exists()

    record = reverse("practice:record_exercise", args=["breathe_instead"])
    page.goto(f"{live_server.url}{record}")
    page.get_by_role("button", name=re.compile("^Turn on")).click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[1-9]"))
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    page.wait_for_url("**/heard/**")
    finish(Rehearsal.any_kind.get(kind=Kind.EXERCISE), 2)
    page.reload()
    moments = page.locator("[data-excerpt]")
    expect(moments).to_have_count(2)
    moments.first.click()
    expect(moments.first).to_have_attribute("data-playing", "")
    browser.close()
