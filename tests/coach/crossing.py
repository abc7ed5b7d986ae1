"""Two acts that cross: one has done everything and does not stand yet, the other begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

from django.db import connection, transaction

Act = Callable[[], object]


def on_its_own(act: Act) -> Act:
    """With a connection of its own, which is closed afterwards."""

    def run() -> object:
        try:
            return act()
        finally:
            connection.close()

    return run


@contextmanager
def in_the_middle_of(act: Act, pool: ThreadPoolExecutor) -> Iterator[None]:
    """Inside: the act has done everything, and its transaction does not stand yet."""
    done, may_end = Event(), Event()

    @transaction.atomic
    def held() -> None:
        act()
        done.set()
        assert may_end.wait(60)

    future = pool.submit(on_its_own(held))
    try:
        assert done.wait(30), future.exception(timeout=1)
        yield
    finally:
        may_end.set()
    future.result(timeout=60)


def waits(future: Future[object]) -> bool:
    """Whether it is still at it after a second."""
    try:
        future.result(timeout=1)
    except TimeoutError:
        return True
    return False


def until_one_waits() -> None:
    """Until some connection waits for a row that another one holds."""
    asked = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
    for _try in range(3000):
        with connection.cursor() as cursor:
            cursor.execute(f"{asked} AND wait_event_type = 'Lock'")
            if cursor.fetchone():
                return
        Event().wait(0.01)
    raise AssertionError("nobody waits")
