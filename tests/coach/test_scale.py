"""Pages stay light where much has happened: few queries, few bytes, no table read to its end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.crowd import Crowd, seed_crowd
from coach.accounts.models import Role, User
from coach.lib.pages.paging import MOST_COUNTED
from coach.practice.plan.ladders import LADDERS
from coach.practice.plan.services import choose_focus
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory

pytestmark = pytest.mark.slow

MOST_QUERIES = 25
MOST_QUERIES_OF_PRACTISE = 36
"""With the first steps, a plan of two focus areas, the part about today: advice and week, the tasks
of coaches, and the assignments of one's groups."""
MOST_QUERIES_OF_A_REPORT = 30
"""Its owner reads which other takes of the talk lie with a coach, and whether one is there; slides,
key messages, questions, assignments and what was tried read a row each."""
MOST_QUERIES_OF_THE_DESK = 40
"""It shows eleven tables: items, notes, corrections, levels, threads, acts, earlier takes."""
MOST_BYTES = 300_000
BIG = 5_000
"""From so many rows on a table is one that grows."""
# What takes all its rows before it gives its first one: a limit above it saves nothing.
TAKES_ALL = {"Sort", "Aggregate", "Hash", "WindowAgg"}
HEAVY_COLUMN = re.compile(r'\."(?:draft|report|documents)"[, ]')
"""One that is handed over whole; the database may take a word out of it."""


@pytest.fixture
def crowd(sent: Rehearsal, coach: User) -> Crowd:
    """Ana's take among 20,000."""
    return seed_crowd(take=sent, coach=coach)


def _sizes() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, reltuples FROM pg_class WHERE relkind = 'r'")
        return {name: int(rows) for name, rows in cursor.fetchall()}


def _unbounded(node: dict[str, Any], sizes: dict[str, int], *, limited: bool) -> Iterator[str]:
    """The scans of big tables that read on to the end, or to more rows than a page ever counts."""
    kind = node["Node Type"]
    limited = kind == "Limit" or (limited and kind not in TAKES_ALL)
    rows, table = node["Plan Rows"], node.get("Relation Name", "")
    reads_all = kind == "Seq Scan" or rows > MOST_COUNTED
    if sizes.get(table, 0) >= BIG and reads_all and not limited:
        yield f"{kind} of {table} ({rows} rows)"
    for child in node.get("Plans", ()):
        yield from _unbounded(child, sizes, limited=limited)


def _scans_of(queries: list[dict[str, str]]) -> list[str]:
    sizes = _sizes()
    found = []
    with connection.cursor() as cursor:
        for query in (each["sql"] for each in queries if each["sql"].startswith("SELECT")):
            cursor.execute(f"EXPLAIN (FORMAT JSON) {query}")
            plan = cursor.fetchone()[0]
            plan = json.loads(plan) if isinstance(plan, str) else plan
            scans = _unbounded(plan[0]["Plan"], sizes, limited=False)
            found += [f"{scan}: {query}" for scan in scans]
    return found


def _open(client: Client, url: str, most: int = MOST_QUERIES) -> list[dict[str, str]]:
    """Open a page, hold it to its measure, and give its queries."""
    with CaptureQueriesContext(
        connection,
    ) as captured:
        response = client.get(url)
    assert response.status_code == 200
    assert len(captured) <= most, url
    assert len(response.content) <= MOST_BYTES, url
    assert not _scans_of(captured.captured_queries), url
    return captured.captured_queries


def test_pages_read_only_what_they_show(crowd: Crowd, sign_in: SignIn) -> None:
    for metric in list(LADDERS)[:2]:
        choose_focus(person=crowd.trainee, metric=metric, actor=crowd.trainee)
    trainee, coach = sign_in(crowd.trainee), sign_in(crowd.coach)
    curator = sign_in(UserFactory(roles=[Role.CURATOR]))
    researcher = sign_in(UserFactory(roles=[Role.RESEARCHER]))
    report = reverse("feedback:report", args=[crowd.take.pk])
    light = [
        (trainee, reverse("feedback:takes")),
        (trainee, reverse("feedback:takes") + "?page=3"),
        (coach, reverse("review:queue")),
        (coach, reverse("review:queue") + "?page=3"),
        (coach, reverse("review:released")),
        (curator, reverse("curation:statistics")),
        (curator, reverse("curation:dry_runs")),
        (researcher, reverse("research:home")),
    ]
    for client, url in light:
        most = MOST_QUERIES_OF_PRACTISE if client is trainee else MOST_QUERIES
        read = " ".join(query["sql"] for query in _open(client, url, most))
        # Today's practice follows the newest report, on the first page of takes alone.
        heavy = ['."draft",'] if url == reverse("feedback:takes") else []
        assert HEAVY_COLUMN.findall(read) == heavy, url
    _open(trainee, report, MOST_QUERIES_OF_A_REPORT)
    _open(coach, report)
    desk = reverse("review:desk", args=[crowd.take.pk])
    coach.get(desk)  # The first visit also takes the review and writes down that it was opened.
    _open(coach, desk, MOST_QUERIES_OF_THE_DESK)
    _open(curator, reverse("curation:statistics_of", args=["R11"]))
