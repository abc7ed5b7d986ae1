"""The product in a real browser: a live server, a take that really plays, people who sign in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Cohort, User
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.analysis.recordings import Picture, Tone, record
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

SECONDS = 60.0
_LAST_WORD_SECONDS = 0.2

Arrive = Callable[[User, str], Page]


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """Without the service worker, which would stand between a test's own answers and the page."""
    return {**browser_context_args, "service_workers": "block"}


@pytest.fixture(autouse=True)
def home_leads_to_no_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """The welcome of a new trainee has a test of its own."""
    monkeypatch.setattr("coach.portal.views.is_welcome_due", lambda _user: False)


@pytest.fixture(scope="session")
def playable(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A minute of grey pictures and a tone, in WebM, which every Chromium plays."""
    path = tmp_path_factory.mktemp("browser") / "take.webm"
    times = tuple(index / 5 for index in range(int(SECONDS * 5)))
    picture = Picture(codec="libvpx", times=times)
    record(path, picture=picture, tone=Tone(codec="libopus", seconds=SECONDS, rate_hz=48_000))
    return path.read_bytes()


@pytest.fixture
def playable_take(
    live_server: LiveServer, trainee: User, cohort: Cohort, playable: bytes
) -> Rehearsal:
    """Ana's analysed take, with a recording that plays."""
    take = RehearsalFactory(
        owner=trainee,
        cohort=cohort,
        content=playable,
        duration=SECONDS,
        playback_type="video/webm",
    )
    finish_analysis(take, make_report(duration=SECONDS))
    return take


@pytest.fixture
def sent_take(playable_take: Rehearsal, coach: User) -> Rehearsal:
    """The same, sent to Bea."""
    send_to_coach(rehearsal=playable_take, note="Please look at my opening.")
    return playable_take


@pytest.fixture
def arrive(page: Page, live_server: LiveServer, sign_in: SignIn) -> Iterator[Arrive]:
    """Open a page as somebody who signed in just before.

    The mark of their session is put into the browser: going through the form, which has tests of
    its own, is half of what a short test would cost.
    """

    def arrived(user: User, path: str) -> Page:
        mark = sign_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": mark, "url": live_server.url}
        page.context.add_cookies([cookie])
        page.goto(f"{live_server.url}{path}")
        return page

    yield arrived
    _leave(page)


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as pinned in package.json and fetched by npm."""
    path = Path(__file__).resolve().parents[3] / "node_modules" / "axe-core" / "axe.min.js"
    assert path.is_file(), "axe-core is not there: run `make test`, which fetches it"
    return path.read_text(encoding="utf-8")


def _leave(page: Page) -> None:
    """A desk that is left tells its times once more: that is to be over before tables are emptied,
    since each would wait for what the other holds."""
    desks = [each for each in page.context.pages if "/review/" in each.url]
    for each in desks:
        each.close()
    if desks:
        time.sleep(_LAST_WORD_SECONDS)
