"""The embedded servers start, are shared, survive violence, and stop with their last user."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest
from celery import Celery

from coach.lib import embedded
from coach.lib.embedded import EmbeddedServer, Postgres, Valkey

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
HOLD = """
import sys
from pathlib import Path
from coach.lib import embedded
print(getattr(embedded, sys.argv[1])(Path(sys.argv[2])).join(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(servers_folder: Path) -> Path:
    """A folder that the account of root's PostgreSQL can reach."""
    return Path(tempfile.mkdtemp(dir=servers_folder))


@pytest.fixture(params=[Postgres, Valkey])
def server(request: pytest.FixtureRequest, place: Path) -> Iterator[EmbeddedServer]:
    made: EmbeddedServer = request.param(place / "server")
    yield made
    made.leave()
    made.stop_if_unused()


def holder(server: EmbeddedServer) -> subprocess.Popen[str]:
    """Another process that joins the server and keeps it until its stdin closes."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, type(server).__name__, str(server.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == server.url
    return process


def let_go(process: subprocess.Popen[str]) -> None:
    process.communicate("")
    assert process.returncode == 0


def processes_in(folder: Path) -> list[psutil.Process]:
    """Server processes that work in the folder, whoever started them."""
    found = []
    for process in psutil.process_iter(["name", "cwd"]):
        name, cwd = process.info["name"] or "", process.info["cwd"] or ""
        if name.startswith(("postgres", "valkey")) and Path(cwd).is_relative_to(folder):
            found.append(process)
    return found


def test_a_server_starts_answers_and_stops(server: EmbeddedServer) -> None:
    server.join()
    assert server.is_up()
    server.leave()
    assert not server.is_up()


def test_joining_twice_and_leaving_twice_is_harmless(server: EmbeddedServer) -> None:
    assert server.join() == server.join()
    server.leave()
    server.leave()
    assert not server.is_up()


def test_the_server_outlives_the_one_who_started_it_while_another_needs_it(
    server: EmbeddedServer,
) -> None:
    other = holder(server)
    server.join()
    let_go(other)
    assert server.is_up()
    server.leave()
    assert not server.is_up()


def test_the_last_process_to_end_stops_the_server(server: EmbeddedServer) -> None:
    server.join()
    other = holder(server)
    server.leave()
    assert server.is_up()
    let_go(other)
    assert not server.is_up()


def test_a_server_that_a_killed_process_left_behind_is_joined_and_stopped(
    server: EmbeddedServer,
) -> None:
    other = holder(server)
    other.kill()
    other.communicate()
    assert server.is_up()
    server.join()
    server.leave()
    assert not server.is_up()


def test_a_killed_server_starts_again(server: EmbeddedServer) -> None:
    server.join()
    for process in processes_in(server.folder):
        with suppress(psutil.NoSuchProcess):  # the first one takes its children along
            process.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 10
    while server.is_up() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not server.is_up()
    server.join()
    assert server.is_up()


def test_a_pid_file_that_names_a_stranger_is_not_believed(place: Path) -> None:
    server = Postgres(place / "server")
    server.join()
    server.leave()
    pid_file = server.folder / "data" / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{server.folder / 'data'}\n0\n5432\n\n\n\n")
    server.join()
    assert server.is_up()
    server.leave()


def test_a_cluster_whose_making_was_killed_is_made_anew(place: Path) -> None:
    server = Postgres(place / "server")
    half = server.folder / "data.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    server.join()
    assert server.is_up()
    server.leave()


def test_rows_are_there_after_a_restart(place: Path) -> None:
    server = Postgres(place / "server")
    with psycopg.connect(server.join()) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('here')")
    server.leave()
    with psycopg.connect(server.join()) as connection:
        assert connection.execute("SELECT word FROM kept").fetchall() == [("here",)]
    server.leave()


def test_a_folder_whose_path_is_long_and_has_spaces_will_do(place: Path) -> None:
    folder = place / "a folder with, odd 'signs' é" / ("long" * 30)
    for server in (Postgres(folder / "pg"), Valkey(folder / "valkey")):
        server.join()
        assert server.is_up()
        server.leave()
        assert not server.is_up()


def test_celery_speaks_to_the_embedded_broker(place: Path) -> None:
    server = Valkey(place / "server")
    app = Celery("probe", broker=server.join())
    app.send_task("probe.ring", queue="bell")
    with app.connection_for_read() as connection, connection.channel() as channel:
        message = channel.basic_get("bell", no_ack=True)
    server.leave()
    assert message is not None
    assert message.headers["task"] == "probe.ring"


def test_manage_py_finds_a_database_where_none_is_named(place: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    environment["ROSTRUM_DATA_DIR"] = str(place)
    code = "from django.db import connection as c; c.ensure_connection(); print(c.vendor)"
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "postgresql", done.stderr
    assert not processes_in(place)


def test_a_secret_key_is_drawn_once_for_a_data_folder_and_readable_by_nobody_else(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_DATA_DIR", str(place))
    keys = []
    for _again in range(2):
        monkeypatch.setenv("SECRET_KEY", "")
        monkeypatch.setenv("SECRET_KEY_FILE", "")
        embedded.provide_secret()
        keys.append(Path(os.environ["SECRET_KEY_FILE"]).read_text(encoding="utf-8"))
    assert keys[0] == keys[1]
    assert len(keys[0]) > 50
    assert stat.S_IMODE((place / "secret_key").stat().st_mode) == 0o600


def test_a_secret_key_that_was_given_is_left_alone(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_DATA_DIR", str(place))
    monkeypatch.setenv("SECRET_KEY", "given")
    embedded.provide_secret()
    assert not (place / "secret_key").exists()


def test_in_production_nothing_is_made_up_and_the_settings_say_what_is_missing(place: Path) -> None:
    """A worker is told no key and writes nowhere: no file for one is made either."""
    environment = {
        **{name: value for name, value in os.environ.items() if "SECRET" not in name},
        "ROSTRUM_PRODUCTION": "True",
        "ROSTRUM_PROCESS": "worker",
        "ROSTRUM_DATA_DIR": str(place / "nowhere"),
        "DATABASE_URL": "",
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode
    assert "Set DATABASE_URL: ROSTRUM_PRODUCTION is True." in done.stderr
    assert not (place / "nowhere").exists()
