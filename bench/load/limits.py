"""Limits of the components behind the workers: rows and wake-ups per second, bytes per take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median

import redis
from django.conf import settings
from django.db import connection, transaction

from coach.accounts.models import Role, User
from coach.feedback.models import Run, Stage
from coach.feedback.runs.estimates import estimate, forget_queues
from coach.feedback.runs.stage_leases import StageEnd, Wakeup, acquire_next, finish
from coach.feedback.services import start_run
from coach.feedback.tasks import enqueue
from coach.rehearsals.models import Rehearsal, Talk

PEOPLE, WAITING, WORKERS, LEASES, WAKEUPS = 200, 5_000, 8, 800, 2_000


def measured() -> list[str]:
    """Return one line for each limit. Call it while no worker runs."""
    sizes = list(_bytes())
    began = time.perf_counter()
    _fill()
    handed_in = PEOPLE / (time.perf_counter() - began)
    _multiply()
    return [
        f"handing in: {handed_in:.0f} runs a second from one process",
        *_leases(),
        *_polls(),
        *_bells(),
        *sizes,
    ]


def _fill() -> None:
    """Create one take for each of many people, as `start_run` leaves it."""
    people = User.objects.bulk_create(
        User(email=f"limit{n}@example.org", name=f"Person {n}", roles=[Role.TRAINEE])
        for n in range(PEOPLE)
    )
    with _nobody_rings():
        for number, person in enumerate(people):
            talk = Talk.objects.create(owner=person, title=f"Take {number}")
            take = Rehearsal.objects.create(
                owner=person,
                talk=talk,
                title=talk.title,
                aim="inform",
                audience="public",
                setting="camera",
                language="en",
                original_name="a.mp4",
                size_bytes=50_000_000,
                sha256=f"{number:064x}",
                duration=120.0 + number % 90,
                has_video=True,
            )
            with transaction.atomic():
                start_run(rehearsal=take, actor=person)


@contextmanager
def _nobody_rings() -> Iterator[None]:
    """Suppress wake-ups, which are counted separately."""
    real, ring_now = transaction.on_commit, lambda *_arguments, **_named: None
    transaction.on_commit = ring_now
    try:
        yield
    finally:
        transaction.on_commit = real


def _multiply() -> None:
    """Insert thousands of waiting transcriptions, spread over these people and their runs."""
    runs = list(
        Run.objects.filter(rehearsal__title__startswith="Take").values_list("pk", flat=True)
    )
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO feedback_stage (run_id, name, position, needs, queue, state, progress, "
            "attempts, queued_at, due_at, expected_seconds, cores, version, problem, holder) "
            "SELECT (%s::uuid[])[1 + n %% %s], 'extra' || n, 1, '{}', 'speech', 'queued', 0, 0, "
            "now(), now() + n * interval '10 ms', 25, 1, '', '{}', '' "
            "FROM generate_series(1, %s) AS n",
            [[str(run) for run in runs], len(runs), WAITING],
        )
        cursor.execute("ANALYZE feedback_stage")


def _leases() -> list[str]:
    """Lease and finish stages with several workers at once."""
    started = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        each = list(pool.map(lambda _worker: _lease_some(LEASES // WORKERS), range(WORKERS)))
    seconds = time.perf_counter() - started
    taken = [key for keys, _times in each for key in keys]
    times = sorted(ms for _keys, found in each for ms in found)
    rate, p99 = len(taken) / seconds, times[int(0.99 * len(times))]
    return [
        (
            f"leasing among {WAITING} that wait, {WORKERS} workers: {rate:.0f} stages a second "
            f"taken and finished, {median(times):.1f} ms a lease, p99 {p99:.1f} ms, taken twice "
            f"{len(taken) - len(set(taken))}"
        )
    ]


def _lease_some(count: int) -> tuple[list[object], list[float]]:
    keys, times = [], []
    try:
        for _number in range(count):
            began = time.perf_counter()
            lease = acquire_next("speech")
            times.append(1000 * (time.perf_counter() - began))
            if lease is None:
                break
            keys.append(lease.key)
            finish(lease, StageEnd(state=Stage.State.DONE, seconds=1.0))
    finally:
        connection.close()
    return keys, times


def _polls() -> list[str]:
    """Time the estimate that a page requests every two seconds, with the
    queue reread and cached.
    """
    run = Run.objects.filter(rehearsal__title="Take 7").select_related("rehearsal").get()
    stages = [stage for stage in run.stages.all() if not stage.name.startswith(("extra", "play"))]

    def timed(before: Callable[[], None]) -> float:
        took = []
        for _time in range(9):
            before()
            began = time.perf_counter()
            estimate(run, stages)
            took.append(1000 * (time.perf_counter() - began))
        return median(took)

    first, later = timed(forget_queues), timed(lambda: None)
    return [
        (
            f"an estimate while {WAITING} wait: {first:.1f} ms once in three seconds for each web "
            f"process, {later:.1f} ms for everybody else"
        )
    ]


def _bells() -> list[str]:
    server = redis.Redis(
        unix_socket_path=settings.CELERY_BROKER_URL.removeprefix("redis+socket://").split("?")[0]
    )
    before = server.info("memory")["used_memory"]
    began = time.perf_counter()
    enqueue([Wakeup(queue="default")] * WAKEUPS)
    seconds = time.perf_counter() - began
    held = (server.info("memory")["used_memory"] - before) / WAKEUPS
    server.delete("default")
    return [f"wakeups: {WAKEUPS / seconds:.0f} a second from one process, {held:.0f} bytes each"]


def _bytes() -> Iterator[str]:
    """Yield the row sizes of the runs that were really analysed."""
    tables = (
        "rehearsals_rehearsal",
        "feedback_run",
        "feedback_stage",
        "feedback_storedreport",
        "feedback_measuredvalue",
        "feedback_feedback",
        "feedback_item",
        "feedback_firing",
        "audit_entry",
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), sum(duration) FROM rehearsals_rehearsal")
        takes, seconds = cursor.fetchone()
        cursor.execute("SELECT avg(pg_column_size(document)) FROM feedback_storedreport")
        report = float(cursor.fetchone()[0] or 0)
        total = 0
        for table in tables:
            cursor.execute(f"SELECT coalesce(sum(pg_column_size(t)), 0) FROM {table} AS t")  # noqa: S608
            total += cursor.fetchone()[0]
    if takes:
        yield (
            f"rows: {total / takes / 1000:.0f} kB a take, {report / 1000:.0f} kB of it the report, "
            f"without indexes; {takes} takes of {seconds / takes:.0f} s on average"
        )
