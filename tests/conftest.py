"""What every test may ask for: real servers, real models, shared recordings, a browser."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import Playwright

from analysis import models as weights
from coach.celery import app as celery_app
from coach.lib.embedded import Postgres, Valkey

ROOT = Path(__file__).resolve().parents[1]
SESSIONS = Path(tempfile.gettempdir()) / f"rostrum-tests-{os.geteuid()}"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# A test database need not survive a power cut.
CARELESS = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


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
    server = Postgres(servers_folder / "postgres", settings=CARELESS)
    os.environ["DATABASE_URL"] = server.join()
    yield server.url
    del os.environ["DATABASE_URL"]
    server.leave()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(database_url: str) -> None:
    """Point Django at that database before pytest-django makes the test database in it."""
    settings.DATABASES["default"].update(dj_database_url.parse(database_url))


# For every test: Celery keeps the connections of the first broker that it was told of.
@pytest.fixture(scope="session", autouse=True)
def broker_url(servers_folder: Path) -> Iterator[str]:
    """CELERY_BROKER_URL where it is set, else a Valkey of this session's own."""
    given = os.environ.get("CELERY_BROKER_URL")
    if given:
        yield given
        return
    server = Valkey(servers_folder / "valkey")
    os.environ["CELERY_BROKER_URL"] = celery_app.conf.broker_url = server.join()
    yield server.url
    del os.environ["CELERY_BROKER_URL"]
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
    chosen = os.environ.get("ROSTRUM_SHARED_MEDIA")
    folder = Path(chosen) if chosen else ROOT.parent / "shared" / "media"
    if not (folder / "MANIFEST.csv").is_file():
        pytest.skip(f"the shared recordings are not there: {folder} (set ROSTRUM_SHARED_MEDIA)")
    return folder


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder with all model weights, fetched if need be: no test is skipped for want of one."""
    weights.fetch_all()
    return weights.models_dir()


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Path:
    """A Chromium: ROSTRUM_CHROMIUM, the system's, or the one that playwright installed."""
    names = (os.environ.get("ROSTRUM_CHROMIUM", ""), *CHROMIUMS)
    found = [path for name in names if name and (path := shutil.which(name))]
    found.append(playwright.chromium.executable_path)
    path = Path(found[0])
    if not path.is_file():
        pytest.skip("no Chromium here: install one, or name it in ROSTRUM_CHROMIUM")
    return path


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], chromium: Path
) -> dict[str, Any]:
    """Launch that Chromium; as root (in CI) it only runs without its sandbox."""
    # playwright's loop runs in the test's thread; Django sees it and would refuse the ORM.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {
        **browser_type_launch_args,
        "executable_path": str(chromium),
        "args": [*browser_type_launch_args.get("args", []), *sandbox],
    }
