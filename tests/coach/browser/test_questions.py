"""A question answered in a real browser: read aloud only by a local voice, recorded, handed in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserType, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.feedback import tasks
from coach.questions.services import begin_session
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal
from coach.uploads import views as recording
from tests.coach.factories import PASSWORD, RehearsalFactory
from tests.coach.feedback.recordings import wav_bytes

pytestmark = pytest.mark.django_db(transaction=True)

_VOICES = """
  const voice = (localService) => ({ localService, lang: "en-GB", name: "A voice" });
  speechSynthesis.getVoices = () => [voice(location.hash === "#local")];
"""


def test_a_question_is_read_by_a_local_voice_alone_and_answered(
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
    session = begin_session(take=take, with_hostile=False)
    launch = dict(browser_type_launch_args)
    launch["args"] = [
        *(launch.get("args") or ()),  # type: ignore[misc]
        *("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"),
        f"--use-file-for-fake-audio-capture={sound}",
    ]
    browser = browser_type.launch(**launch)  # type: ignore[arg-type]
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.add_init_script(_VOICES)
    here = reverse("questions:session", args=[session.pk])
    page.goto(f"{live_server.url}/accounts/login/?next={here}")
    page.locator("input[name=login]").fill(trainee.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(f"{live_server.url}{here}")
    page.wait_for_load_state("networkidle")

    aloud = page.get_by_role("button", name="Read aloud")
    expect(page.locator("[data-no-voice]")).to_be_visible()
    expect(aloud).to_be_hidden()
    page.goto(f"{live_server.url}{here}#local")
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(aloud).to_be_visible()
    expect(page.locator("[data-no-voice]")).to_be_hidden()

    first = page.locator("[data-question]").inner_text()
    page.get_by_role("button", name=re.compile("^Turn on")).click()
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[1-9]"))
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Use this take").click()
    expect(page.locator("[data-question]")).not_to_have_text(first)
    assert Rehearsal.any_kind.get(kind=Kind.ANSWER).parent == take
    browser.close()
