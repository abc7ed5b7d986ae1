"""Upgrade from 0.2.0: a site that its own code filled keeps every row, and its pages open.

`site_of_0_2_0.sql.xz` is the database of `make demo` at commit f4cb14b2 (version 0.2.0).
pg_dump wrote it; the schema is renamed, and the passwords are left out.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.models import Feedback
from coach.rehearsals.models import AccessGrant
from demo.quick_migrations import quick_migrations
from tests.coach.conftest import SignIn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

_DUMP = Path(__file__).parent / "site_of_0_2_0.sql.xz"
_SCHEMA = "site_of_0_2_0"
_COPY = re.compile(r"^(COPY [^;]+ FROM stdin;)\n(.*?)^\\\.\n", re.MULTILINE | re.DOTALL)
KEPT = ("accounts_user", "rehearsals_rehearsal", "feedback_item", "feedback_storedreport")
"""Tables whose rows are counted before and after."""


@pytest.fixture
def rows_before() -> Iterator[dict[str, int]]:
    """Restore the site, migrate it, and yield the number of rows that it had."""
    try:
        _restore(lzma.decompress(_DUMP.read_bytes()).decode())
        counts = _counts()
        executor = MigrationExecutor(connection)
        with quick_migrations():
            executor.migrate(executor.loader.graph.leaf_nodes())
        yield counts
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"SET search_path TO DEFAULT; DROP SCHEMA {_SCHEMA} CASCADE")


def _restore(dump: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {_SCHEMA}")
        place = 0
        for block in _COPY.finditer(dump):
            cursor.execute(dump[place : block.start()] or "SELECT")
            with cursor.cursor.copy(block[1]) as copy:
                copy.write(block[2])
            place = block.end()
        cursor.execute(dump[place:])
        cursor.execute(f"SET search_path TO {_SCHEMA}")


def _counts() -> dict[str, int]:
    with connection.cursor() as cursor:
        found = {}
        for table in KEPT:
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608  # names of ours
            found[table] = cursor.fetchone()[0]
    return found


def test_every_row_is_kept_and_every_room_opens(
    rows_before: dict[str, int], sign_in: SignIn
) -> None:
    assert min(rows_before.values()) > 0
    assert _counts() == rows_before
    trainee = _person("trainee")
    for feedback in Feedback.objects.filter(rehearsal__owner=trainee):
        page = _opens(sign_in(trainee), "feedback:report", feedback.rehearsal_id)
        assert f"{feedback.rehearsal}" in page
    waiting = AccessGrant.objects.filter(revoked_at=None, cohort__isnull=False)
    assert waiting
    coach = sign_in(_person("coach"))
    _opens(coach, "review:queue")
    for grant in waiting:
        _opens(coach, "review:desk", grant.rehearsal_id)
    _opens(sign_in(_person("curator")), "curation:rules")
    _opens(sign_in(_person("researcher")), "research:home")
    _opens(sign_in(_person("admin")), "portal:administration")


def _person(name: str) -> User:
    return User.objects.get(email=f"{name}@rostrum.example")


def _opens(client: Client, page: str, *args: object) -> str:
    answer = client.get(reverse(page, args=args), follow=True)
    assert answer.status_code == 200, page
    return answer.content.decode()
