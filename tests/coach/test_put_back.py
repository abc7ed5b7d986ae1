"""What a test that commits leaves behind, and who finds it."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import Permission
from django.db import connection, transaction

from coach.accounts.models import Cohort
from coach.rulesets.models import RuleVersion
from tests.put_back import keep, put_back

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


def test_what_is_kept_is_what_was_there_when_it_was_kept() -> None:
    Cohort.objects.create(name="Monday group")
    keep(schema="kept_here")
    Cohort.objects.create(name="Tuesday group")
    put_back(schema="kept_here")
    assert [one.name for one in Cohort.objects.all()] == ["Monday group"]
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA kept_here CASCADE")
