"""Benchmark `pages`: server time, queries and bytes of pages among 20,000 takes.

The pages of administrators are opened among 5,000 more people (`--administration`: only these).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from importlib import import_module
from statistics import median
from typing import TYPE_CHECKING

from bench.site import installation

if TYPE_CHECKING:
    from django.test import Client

GOAL_MS, GOAL_QUERIES, GOAL_BYTES = 300, 25, 300_000
_TIMES = 9
_ADMINISTRATION = (
    ("site", "/administration/"),
    ("site", "/administration/people/"),
    ("site", "/administration/people/?q=person+49"),
    ("site", "/administration/people/?group={group}"),
    ("site", "/administration/people/?role=coach&page=3"),
    ("site", "/administration/people/invite/"),
    ("site", "/administration/groups/"),
    ("site", "/administration/groups/{group}/"),
    ("site", "/administration/usage/"),
    ("site", "/administration/departments/"),
    ("site", "/administration/departments/{department}/"),
    ("site", "/administration/log/"),
    ("site", "/review/assignments/"),
    ("site", "/review/assignments/{assignment}/"),
    ("department", "/department/"),
    ("department", "/administration/people/"),
    ("department", "/administration/groups/"),
    ("department", "/administration/usage/"),
    ("department", "/administration/log/"),
)


def main(arguments: Sequence[str]) -> int:
    """Print one line per page; return 1 if a page misses its goal."""
    parser = argparse.ArgumentParser(prog="python -m bench pages", description=__doc__)
    parser.add_argument("--administration", action="store_true")
    only = parser.parse_args(list(arguments)).administration
    missed = 0
    with installation():
        pages = [*_pages(), *_of_administrators()]
        for name, client, path in pages[-len(_ADMINISTRATION) :] if only else pages:
            milliseconds, computing, queries, size = measure(client, path)
            missed += milliseconds > GOAL_MS or queries > GOAL_QUERIES or size > GOAL_BYTES
            print(
                f"{name:<56} {milliseconds:4.0f} ms (median of {_TIMES}; {computing:.0f} of this "
                f"process's processor), {queries:2} queries, "
                f"{size / 1000:.0f} kB",
                flush=True,
            )
    print(f"Goal: {GOAL_MS} ms, {GOAL_QUERIES} queries, {GOAL_BYTES / 1000:.0f} kB.")
    return int(missed > 0)


def _pages() -> list[tuple[str, Client, str]]:
    """Return the pages of a large installation, each with a signed-in client."""
    from django.test import Client  # noqa: PLC0415 - Django is set up only now

    factories = import_module("tests.coach.factories")
    people = import_module("coach.accounts.models")
    sending = import_module("coach.rehearsals.services")
    crowd = import_module("bench.crowd")
    cohort = people.Cohort.objects.create(name="Monday group", reply_hours=48)
    trainee = factories.UserFactory()
    coach = factories.UserFactory(roles=[people.Role.COACH])
    curator = factories.UserFactory(roles=[people.Role.CURATOR])
    factories.join(cohort, trainee, people.Role.TRAINEE)
    factories.join(cohort, coach, people.Role.COACH)
    take = factories.RehearsalFactory(owner=trainee, cohort=cohort, duration=1800.0)
    factories.finish_analysis(take, factories.make_report(duration=1800.0))
    sending.send_to_coach(rehearsal=take, note="")
    crowd.seed_crowd(take=take, coach=coach)
    clients = []
    for person in (trainee, coach, curator):
        client = Client()
        client.force_login(person)
        clients.append(client)
    return [
        ("home", clients[0], "/practise/"),
        ("queue", clients[1], "/review/"),
        ("report", clients[0], f"/rehearsals/{take.pk}/"),
        ("desk", clients[1], f"/review/{take.pk}/"),
        ("statistics", clients[2], "/rules/statistics/"),
    ]


def _of_administrators() -> list[tuple[str, Client, str]]:
    """Return the pages of administrators, of the site and of a department."""
    from django.test import Client  # noqa: PLC0415 - as above

    made = import_module("bench.faculty").seed_faculty()
    clients = {"site": Client(), "department": Client()}
    clients["site"].force_login(made.administrator)
    clients["department"].force_login(made.dean)
    keys = {"group": made.group.pk, "department": made.department.pk}
    keys |= {"assignment": made.assignment.pk}
    return [(f"{who} {path}", clients[who], path.format(**keys)) for who, path in _ADMINISTRATION]


def measure(client: Client, path: str, times: int = _TIMES) -> tuple[float, float, int, int]:
    """Return the median wall and CPU milliseconds, and the last visit's queries and bytes."""
    from django.db import connection  # noqa: PLC0415 - as above
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    client.get(path)
    taken, computed = [], []
    for _ in range(times):
        started, busy = time.perf_counter(), time.process_time()
        client.get(path)
        taken.append(1000 * (time.perf_counter() - started))
        computed.append(1000 * (time.process_time() - busy))
    with CaptureQueriesContext(connection) as captured:
        response = client.get(path)
    if response.status_code != 200:
        raise RuntimeError(f"{path} answered {response.status_code}")
    return median(taken), median(computed), len(captured), len(response.content)
