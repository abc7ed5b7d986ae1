"""What every test may ask for: real servers, real models, shared recordings, a browser."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import dj_database_url
import pytest
from django.conf import settings
from django.test import TransactionTestCase, override_settings
from hypothesis import HealthCheck
from hypothesis import settings as made_up

from analysis import models as weights
from analysis.pipeline import fetch_models
from analysis.pipeline.work import limit_threads
from coach.celery import app as celery_app
from coach.lib.catalogues.files import compile_all
from coach.lib.embedded import Postgres, Valkey
from tests import parts
from tests.kept_reports import Kept, kept_report
from tests.migrated import BLANK, migrated_postgres
from tests.put_back import put_all_back

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

# As where stages run side by side; before any test module loads a numerical library.
limit_threads()

# A busy machine is no error: neither how long one example takes nor how long it is thought up.
made_up.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
made_up.load_profile("patient")

PATIENCE_MS = 45_000
"""How long a page may take on a busy machine; where all is well nobody waits for it."""
IN_BROWSER = 2
WAITING = ("browser", "slow")
"""Tests with one of these markers wait for other processes. One that fails is run once more, and
the summary lists it: on a shared machine one failure in a thousand tests says little."""
LONGEST = ("test_studio", "test_curators_guide", "test_journeys", "test_accessibility")
"""Files with few tests that take longest, since they walk through many pages; they begin early."""
SELDOM = (20_000, 20, 20)
"""After how many new objects Python looks for garbage, and how often among older ones."""
SESSIONS = Path(tempfile.gettempdir()) / f"rostrum-tests-{os.geteuid()}"


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    """A folder for this session's servers; what killed sessions left behind is cleared away.

    Not below pytest's own folder: it takes back the permission to pass that PostgreSQL needs.
    """
    SESSIONS.mkdir(mode=0o711, exist_ok=True)
    with (SESSIONS / "change.lock").open("a") as change:
        fcntl.flock(change, fcntl.LOCK_EX)
        for old in SESSIONS.glob("session-*"):
            _clear_away(old)
        folder = Path(tempfile.mkdtemp(dir=SESSIONS, prefix="session-"))
        held = (folder / "session.lock").open("a")
        fcntl.flock(held, fcntl.LOCK_EX)
    yield folder
    held.close()
    shutil.rmtree(folder, ignore_errors=True)


def _clear_away(session: Path) -> None:
    """Stop the servers of a session that has ended, and remove its folder."""
    with (session / "session.lock").open("a") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
    for folder in session.iterdir():
        if folder.is_dir():
            Postgres(folder).stop_if_unused()
            Valkey(folder).stop_if_unused()
    shutil.rmtree(session, ignore_errors=True)


@pytest.fixture(scope="session")
def database_url(servers_folder: Path) -> Iterator[str]:
    """DATABASE_URL where it is set, else a PostgreSQL of this session's own."""
    given = os.environ.get("DATABASE_URL")
    if given:
        yield given
        return
    server = migrated_postgres(servers_folder / "postgres", SESSIONS)
    os.environ["DATABASE_URL"] = server.join()
    # Migrating it goes on from there, and finds nothing left to do.
    settings.DATABASES["default"].setdefault("TEST", {})["TEMPLATE"] = BLANK
    yield server.url
    del os.environ["DATABASE_URL"]
    server.leave()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(database_url: str, request: pytest.FixtureRequest) -> None:
    """Point Django at that database before pytest-django makes the test database in it.

    Its name ends in the worker's where several workers share a server.
    """
    settings.DATABASES["default"].update(dj_database_url.parse(database_url))
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


@pytest.fixture(scope="session", autouse=True)
def tables_are_put_back() -> Iterator[None]:
    """Behind a test that commits; Django would empty them all, which takes half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", put_all_back)
        yield


# For every test: Celery keeps the connections of the first broker that it was told of.
@pytest.fixture(scope="session", autouse=True)
def broker_url(servers_folder: Path) -> Iterator[str]:
    """A Valkey of this session's own, whatever CELERY_BROKER_URL says: workers listen there."""
    with pytest.MonkeyPatch.context() as patch:
        server = Valkey(servers_folder / "valkey")
        patch.setenv("CELERY_BROKER_URL", server.join())
        celery_app.conf.broker_url = server.url
        yield server.url
        server.leave()


@pytest.fixture(scope="session", autouse=True)
def media_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test writes into the media of this checkout."""
    folder = tmp_path_factory.mktemp("media")
    with override_settings(MEDIA_ROOT=folder):
        yield folder


@pytest.fixture(scope="session")
def shared_media() -> Path:
    """Real recordings with truth, outside the repository."""
    return parts.shared_media()


@pytest.fixture(scope="session")
def node() -> str:
    """The Node.js of this machine."""
    return shutil.which("node") or ""


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder with all model weights, fetched and converted if need be: no test is skipped for
    want of one."""
    list(fetch_models())
    return weights.models_dir()


@pytest.fixture(scope="module")
def kept(servers_folder: Path, request: pytest.FixtureRequest) -> Kept:
    """What the models make of a file's own recordings, kept until it would be another."""
    return partial(kept_report, servers_folder.parent, request.path)


@pytest.fixture(scope="session")
def faces(models: Path) -> Path:
    """The same, for whoever finds faces and bodies: that takes two system libraries too."""
    return models


@pytest.fixture(scope="session")
def playwright(playwright: Playwright) -> Iterator[Playwright]:
    """Playwright, and the database beside it.

    Its event loop stays marked as running in the thread of the tests until it is stopped, and
    Django refuses the database there. So files with a browser come last, and this ends with it.
    """
    # Only here: where there is no browser, its library need not be loaded.
    from playwright.sync_api import expect  # noqa: PLC0415

    expect.set_options(timeout=PATIENCE_MS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield playwright


@pytest.fixture(scope="session")
def _pw_artifacts_folder(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """Cleared away by pytest; Playwright's own would be left over by a worker of several."""
    return SimpleNamespace(name=str(tmp_path_factory.mktemp("playwright")))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the Chromium of this machine; as root (in CI) it only runs without its sandbox."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {
        **browser_type_launch_args,
        "executable_path": str(parts.find_chromium()),
        "args": [*browser_type_launch_args.get("args", []), *sandbox],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Keep the worker for the offline page away: each new page would fetch and store its files.

    The test of that worker opens a browser context of its own.
    """
    return {**browser_context_args, "service_workers": "block"}


def pytest_configure() -> None:
    """Pages are read in every language; what is compiled already takes no time."""
    compile_all()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What was imported and collected stays to the end, so it is not looked through for garbage.

    What comes later (addresses, templates, models) stays as well: looking through it after every
    few hundred objects took up to a tenth of a worker's time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*SELDOM)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark each test by what it asks for; nobody has to remember it."""
    for marker in parts.markers_for(_fixtures(item)):
        item.add_marker(marker)
    if parts.is_ci() or any(item.get_closest_marker(name) for name in WAITING):
        item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """File by file: real models first, a browser last, and of the latter the long files first.

    So no worker ends alone with one that takes long.
    """
    ranks: dict[Path, int] = defaultdict(int)
    for item in items:
        ranks[item.path] = max(_rank(item), ranks[item.path])
    weights: dict[Path, int] = Counter()
    for item in items:
        if ranks[item.path] == IN_BROWSER:
            weights[item.path] += 4 if "axe" in _fixtures(item) else 1
            if item.path.stem in LONGEST:
                weights[item.path] += 100
    places = {
        path: (rank, -weights[path], place) for place, (path, rank) in enumerate(ranks.items())
    }
    items.sort(key=lambda item: places[item.path])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before anything is started for a test, see whether this machine has what it needs."""
    for part in parts.missing_for(_fixtures(item)):
        item.user_properties.append((parts.MISSING, part.marker))
        if part.is_wanted_in_ci and parts.is_ci():
            pytest.fail(f"CI is set, and {part.why_missing()}. {part.how_to_get}", pytrace=False)
        pytest.skip(part.why_missing())


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say last, in plain words, what was not tested and how to get what is missing."""
    stats = terminalreporter.stats
    left_out = [*stats.get("skipped", ()), *stats.get("error", ())]
    counted = Counter(
        marker
        for report in left_out
        for name, marker in getattr(report, "user_properties", ())
        if name == parts.MISSING
    )
    others = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in stats.get("skipped", ())
        if not any(name == parts.MISSING for name, _marker in report.user_properties)
    )
    if counted or others:
        terminalreporter.section("not tested on this machine")
        for line in (*parts.untested(counted), *parts.left_out(others)):
            terminalreporter.line(line)


def _fixtures(item: pytest.Item) -> Sequence[str]:
    return getattr(item, "fixturenames", ())


def _rank(item: pytest.Item) -> int:
    fixtures = _fixtures(item)
    if "playwright" in fixtures:
        return IN_BROWSER
    return 0 if "models" in fixtures else 1
