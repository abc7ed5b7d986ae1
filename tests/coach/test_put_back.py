"""What a test that commits leaves behind, and who finds it."""

from __future__ import annotations

import threading
import time

import pytest
from django.contrib.auth.models import Permission
from django.db import connection, transaction
from psycopg.sql import SQL, Identifier

from coach.accounts.models import Cohort
from coach.rulesets.models import RuleVersion
from tests.put_back import _tables, keep, put_back

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_was_committed_is_gone_and_what_every_site_has_is_there_again() -> None:
    rules, permissions = RuleVersion.objects.count(), list(Permission.objects.values_list())
    Cohort.objects.create(name="Monday group")
    RuleVersion.objects.all().delete()
    put_back()
    assert not Cohort.objects.exists()
    assert RuleVersion.objects.count() == rules > 0
    assert list(Permission.objects.values_list()) == permissions


def test_whoever_still_writes_is_waited_for() -> None:
    is_written, may_commit = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            Cohort.objects.create(name="Monday group")
            is_written.set()
            may_commit.wait(60)
        connection.close()

    writing = threading.Thread(target=write)
    writing.start()
    assert is_written.wait(60)
    threading.Timer(0.2, may_commit.set).start()
    put_back()
    writing.join()
    assert not Cohort.objects.exists()


def test_whoever_writes_and_then_reads_what_is_held_here_is_waited_for_as_well() -> None:
    """Both wait for each other then: a page that answers late reads one table after another."""
    first, *_others, last = _tables("default")
    is_held, is_read = threading.Event(), threading.Event()

    def read() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '60s'")
            cursor.execute(SQL("SELECT FROM {}").format(Identifier(last)))
            is_held.set()
            is_locked = _is_soon_locked(first)
            cursor.execute(SQL("SELECT FROM {}").format(Identifier(first)))
            if is_locked:
                is_read.set()
        connection.close()

    reading = threading.Thread(target=read)
    reading.start()
    assert is_held.wait(60)
    Cohort.objects.create(name="Monday group")
    with connection.cursor() as cursor:
        cursor.execute("SET deadlock_timeout = '50ms'")
    put_back()
    reading.join()
    assert is_read.is_set()
    assert not Cohort.objects.exists()
    with connection.cursor() as cursor:
        cursor.execute("RESET deadlock_timeout")


def _is_soon_locked(table: str) -> bool:
    held = "SELECT FROM pg_locks WHERE relation = %s::regclass AND mode = 'AccessExclusiveLock'"
    with connection.cursor() as cursor:
        for _time in range(600):
            cursor.execute(held, [table])
            if cursor.fetchone() is not None:
                return True
            time.sleep(0.01)
    return False


def test_what_is_kept_is_what_was_there_when_it_was_kept() -> None:
    Cohort.objects.create(name="Monday group")
    keep(schema="kept_here")
    Cohort.objects.create(name="Tuesday group")
    put_back(schema="kept_here")
    assert [one.name for one in Cohort.objects.all()] == ["Monday group"]
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA kept_here CASCADE")
