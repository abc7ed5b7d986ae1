"""A container asks itself over http, and is told what is missing."""

from __future__ import annotations

import os
import socket
import time
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client, override_settings

from analysis import __version__
from coach.accounts.models import User
from coach.lib.web import health
from coach.portal.home.operation import health_rows
from tests.coach.factories import RehearsalFactory

HTTPS = {"SECURE_SSL_REDIRECT": True, "ALLOWED_HOSTS": ["rostrum.example.org"]}


@pytest.mark.parametrize("path", ["/alive/", "/ready/"])
def test_it_is_asked_over_http_by_number_where_everybody_else_is_sent_to_https(
    path: str, db: None
) -> None:
    with override_settings(**HTTPS):
        assert Client().get(path, headers={"host": "127.0.0.1:8000"}).status_code == 200
        assert Client().get("/about/", headers={"host": "127.0.0.1:8000"}).status_code == 400
        other = Client().get("/about/", headers={"host": "rostrum.example.org"})
        assert other.status_code == 301


def test_each_part_is_named(db: None) -> None:
    answer = Client().get("/ready/")
    parts = ("database", "broker", "disk", "mail")
    unseen = {"status": "degraded", "recordings": "has not been looked at yet"}
    assert answer.json() == dict.fromkeys(parts, "ok") | unseen | {"version": __version__}
    assert answer.headers["Cache-Control"] == "no-store"


def test_recordings_are_well_only_once_somebody_has_looked(db: None, tmp_path: Path) -> None:
    with override_settings(MEDIA_ROOT=tmp_path):
        assert not any(row["is_well"] for row in health_rows() if "manage.py" in str(row["text"]))
        out = StringIO()
        call_command("custody", "verify", stdout=out)
        assert out.getvalue() == "Every recording is where the database has it.\n"
        parts = ("status", "database", "broker", "disk", "mail", "recordings")
        answer = Client().get("/ready/")
        found = answer.json() | {"version": "ok"}
        assert (answer.status_code, found) == (200, dict.fromkeys((*parts, "version"), "ok"))


def test_a_look_after_an_empty_restore_says_what_is_missing_and_removes_nothing(
    trainee: User, tmp_path: Path
) -> None:
    lost = RehearsalFactory(owner=trainee)
    with override_settings(MEDIA_ROOT=tmp_path):
        with pytest.raises(CommandError, match=f"1 missing, 0 belong(.|\n)*{lost.pk}"):
            call_command("custody", "verify")
        answer = Client().get("/ready/")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert answer.json()["recordings"] == "1 are missing"
        stray = tmp_path / "rehearsals" / str(uuid4()) / "original"
        stray.parent.mkdir(parents=True)
        stray.write_bytes(b"x")
        with pytest.raises(CommandError):
            call_command("custody", "verify")
        assert stray.exists()


def test_a_broker_that_is_away_is_said(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Celery asks the environment first.
    monkeypatch.setenv("CELERY_BROKER_URL", f"redis+socket://{tmp_path}/nobody.sock")
    answer = Client().get("/ready/")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["broker"] == "does not answer"
    assert Client().get("/alive/").status_code == 200


def test_a_broker_that_hangs_keeps_nobody_waiting(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "silent.sock"
    monkeypatch.setenv("CELERY_BROKER_URL", f"redis+socket://{place}")
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(place))
        silent.listen()
        began = time.monotonic()
        assert Client().get("/ready/").json()["broker"] == "does not answer"
        # Well within what the container waits for its health check.
        assert time.monotonic() - began < 6


def test_a_disk_that_is_nearly_full_is_said(db: None) -> None:
    with override_settings(LEAST_FREE_BYTES=2**62):
        answer = Client().get("/ready/")
    assert (answer.status_code, answer.json()["disk"]) == (200, "is nearly full")


def test_recordings_that_cannot_be_written_are_said(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a copy was taken back by another account: root itself is refused nothing."""
    foreign, allowed = tmp_path / "rehearsals", os.access
    foreign.mkdir()
    monkeypatch.setattr(os, "access", lambda at, mode: at != foreign and allowed(at, mode))
    with override_settings(MEDIA_ROOT=tmp_path):
        answer = Client().get("/ready/")
    assert (answer.status_code, answer.json()["disk"]) == (200, "cannot be written to")


def test_a_database_that_is_away_is_said_and_the_process_still_lives(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = connections.create_connection("default")
    nowhere.settings_dict = {**nowhere.settings_dict, "HOST": "/nowhere"}
    monkeypatch.setattr(health, "connection", nowhere)
    answer = Client().get("/ready/")
    assert (answer.status_code, answer.json()["database"]) == (503, "does not answer")
    assert answer.json()["status"] == "unavailable"
    assert Client().get("/alive/").content == b"ok"


def test_asking_again_at_once_costs_nothing(db: None, django_assert_num_queries: object) -> None:
    client = Client()
    client.get("/ready/")
    with django_assert_num_queries(0):  # type: ignore[operator]
        client.get("/ready/")
