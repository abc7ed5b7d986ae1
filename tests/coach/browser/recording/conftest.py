"""A browser with files in the place of camera and microphone, and who records with it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.uploads import views as recording
from tests.coach.browser.recording.steps import RECORD, Enter
from tests.coach.conftest import SignIn
from tests.coach.feedback.recordings import wav_bytes


@pytest.fixture(autouse=True)
def a_quick_look(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the page shows the check; the check itself is tried in tests/coach/uploads."""
    shown: list[str] = []

    def ask(kind: str, content: bytes, **about: int) -> list[dict[str, str]]:
        shown.append(kind)
        assert content[:3] == b"\xff\xd8\xff" if kind == "picture" else len(content) >= 32_000
        words = f"A {kind} of {about.get('width')}."
        return [{"topic": kind, "state": "improve", "words": words}]

    monkeypatch.setattr(recording.looker, "ask", ask)
    return shown


@pytest.fixture(scope="module")
def filming(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, object],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Browser]:
    """A Chromium that films one file and hears another."""
    folder = tmp_path_factory.mktemp("devices")
    film, sound = folder / "film.y4m", folder / "sound.wav"
    pictures = (
        b"FRAME\n"
        + np.roll(np.arange(1280 * 720 * 3 // 2) % 200, 50 * turn).astype(np.uint8).tobytes()
        for turn in range(10)
    )
    film.write_bytes(b"YUV4MPEG2 W1280 H720 F10:1 Ip A1:1 C420mpeg2\n" + b"".join(pictures))
    sound.write_bytes(wav_bytes(4))
    launch = dict(browser_type_launch_args)
    launch["args"] = [
        *(launch.get("args") or ()),  # type: ignore[misc]
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
        f"--use-file-for-fake-audio-capture={sound}",
    ]
    started = browser_type.launch(**launch)  # type: ignore[arg-type]
    yield started
    started.close()


@pytest.fixture
def unhurried(filming: Browser) -> Iterator[BrowserContext]:
    """It, with nothing kept, at its own pace."""
    context = filming.new_context()
    yield context
    context.close()


@pytest.fixture
def studio(unhurried: BrowserContext) -> BrowserContext:
    """The same, where a second of the count-down before a recording is a tenth of one."""
    unhurried.add_init_script(
        """const wait = window.setTimeout;
        window.setTimeout = (act, after, ...rest) =>
          wait(act, after === 1000 ? 100 : after, ...rest);"""
    )
    return unhurried


@pytest.fixture
def enter(live_server: LiveServer, sign_in: SignIn) -> Enter:
    """The page on which one records, as somebody who signed in just before."""

    def entered(studio: BrowserContext, user: User) -> Page:
        mark = sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": mark, "url": live_server.url}
        studio.add_cookies([cookie])
        page = studio.new_page()
        page.goto(live_server.url + RECORD)
        return page

    return entered
