"""Dry runs: what they find, batch by batch, and how they go on after a killed worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.curation.dry_runs import execution as dry_run_execution
from coach.curation.dry_runs.execution import execute_batch, stale
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.selectors import (
    latest_dry_run,
    progress_of,
    results_of,
)
from coach.curation.dry_runs.services import cancel_dry_run
from coach.curation.models import Proposal
from coach.curation.pages.dry_runs import changed_words
from coach.curation.selectors import rule_set_with, working_rule
from coach.curation.services import propose_change
from coach.curation.tasks import run_batch, sweep
from coach.feedback.models import Feedback, StoredReport
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_of
from feedback_rules.model import RuleSet
from tests.coach.conftest import SignIn
from tests.coach.curation.dry_runs import finished, mild_report, started, stored_takes
from tests.coach.factories import finish_analysis

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three takes a batch."""
    monkeypatch.setattr(dry_run_execution, "BATCH", 3)


# --- what it finds


@pytest.mark.usefixtures("small_batches")
def test_it_counts_what_would_change_on_every_stored_take(curator: User, raised: RuleSet) -> None:
    stored_takes(4)
    stored_takes(3, mild_report())
    results = results_of(finished(curator, raised))
    assert (results.reports, results.changed, results.items_changed) == (7, 4, 4)
    assert results.rules == {
        "FIL001": {
            "gained": 0,
            "lost": 4,
            "moved": 0,
            "reworded": 0,
            "newly_waiting": 0,
            "no_longer_waiting": 0,
            "contradicting": 0,
        }
    }


def test_other_words_are_a_change_though_the_items_stay(
    curator: User, release: RuleSetRelease
) -> None:
    stored_takes(2)
    working = working_rule("FIL001")
    assert working is not None
    rule = rule_of(working.newest)
    english = rule.message.en.model_copy(update={"suggestion": "Try one breath before a name."})
    other = rule.model_copy(update={"message": rule.message.model_copy(update={"en": english})})
    proposal = propose_change(rule=other, base=working.newest, author=curator, why="Shorter.")
    results = results_of(finished(curator, rule_set_with(proposal)))
    assert (results.changed, results.items_changed, results.reworded) == (2, 0, 2)
    assert results.rules["FIL001"]["reworded"] == 2


def test_what_only_coaches_see_is_a_change_too(curator: User, release: RuleSetRelease) -> None:
    stored_takes(1)
    working = working_rule("FIL001")
    assert working is not None
    handed = rule_of(working.newest).model_copy(update={"decided_by": "coach"})
    proposal = propose_change(rule=handed, base=working.newest, author=curator, why="Ask them.")
    results = results_of(finished(curator, rule_set_with(proposal)))
    counts = results.rules["FIL001"]
    assert (counts["lost"], counts["newly_waiting"], results.reworded) == (1, 1, 0)
    # Before publishing it is not told as other words.
    told = changed_words(replace(results, changed=3, reworded=1))
    assert told.endswith("different words on 1, other changes only for its coach on 1.")


def test_only_the_newest_draft_of_a_take_is_examined(curator: User, raised: RuleSet) -> None:
    [take] = stored_takes(1)
    finish_analysis(take, mild_report())
    results = results_of(finished(curator, raised))
    assert (results.reports, results.changed) == (1, 0)


def test_feedback_that_people_have_is_not_touched(curator: User, raised: RuleSet) -> None:
    stored_takes(2)
    before = list(Feedback.objects.values())
    finished(curator, raised)
    assert list(Feedback.objects.values()) == before


def test_a_report_that_cannot_be_read_is_named_and_not_counted(
    curator: User, raised: RuleSet
) -> None:
    stored_takes(2)
    one = StoredReport.objects.filter(pk=StoredReport.objects.values("pk")[:1])
    one.update(document={"schema_version": 99})
    results = results_of(finished(curator, raised))
    assert (results.reports, results.unreadable, results.changed) == (1, 1, 1)


def test_without_any_take_it_is_done_at_once(curator: User, raised: RuleSet) -> None:
    dry_run = finished(curator, raised)
    assert results_of(dry_run).reports == 0
    assert progress_of(dry_run).percent == 100


def test_the_result_for_exactly_these_rules_can_be_asked_for(
    curator: User, raised: RuleSet
) -> None:
    assert latest_dry_run(raised) is None
    dry_run = finished(curator, raised)
    assert latest_dry_run(raised) == dry_run
    assert latest_dry_run(raised.model_copy(update={"rules": raised.rules[1:]})) is None
    RuleSetRelease.objects.update(is_active=False)
    assert latest_dry_run(raised) is None


def test_what_came_in_since_is_said_and_can_be_tried_too(
    curator: User, proposal: Proposal, raised: RuleSet, sign_in: SignIn
) -> None:
    client, page = sign_in(curator), reverse("curation:proposal", args=[proposal.pk])

    def shown() -> str:
        return client.get(page).content.decode()

    finished(curator, raised)
    assert "No takes were stored when this was tried." in shown()
    assert "Try it again" not in shown()
    stored_takes(2)
    assert "2 takes have been drafted since then." in shown()
    client.post(reverse("curation:start_dry_run"), {"proposal": proposal.pk})
    while execute_batch(DryRun.objects.latest("created_at").pk):
        pass
    assert "Tried on 2 takes" in shown()
    assert "Try it again" not in shown()


@pytest.mark.usefixtures("release")
def test_everything_approved_can_be_tried_only_where_there_is_something(
    curator: User, proposal: Proposal, sign_in: SignIn
) -> None:
    client, page = sign_in(curator), reverse("curation:dry_runs")
    assert b"Try all approved changes" not in client.get(page).content
    Proposal.objects.filter(pk=proposal.pk).update(state=Proposal.State.APPROVED)
    assert b"Try all approved changes" in client.get(page).content


# --- going on, stopping


@pytest.mark.usefixtures("small_batches")
def test_its_row_says_how_far_it_is(curator: User, raised: RuleSet) -> None:
    stored_takes(7)
    dry_run = started(curator, raised)
    seen = []
    for more in (True, True, False):
        progress = progress_of(dry_run)
        seen.append((progress.done, progress.total, progress.percent))
        assert execute_batch(dry_run.pk) is more
        dry_run.refresh_from_db()
    assert seen == [(0, 7, 0), (3, 7, 42), (6, 7, 85)]
    assert progress_of(dry_run).percent == 100


@pytest.mark.usefixtures("small_batches")
def test_a_batch_that_is_committed_meanwhile_is_not_counted_twice(
    curator: User, raised: RuleSet
) -> None:
    stored_takes(7)
    dry_run = started(curator, raised)
    execute_batch(dry_run.pk)
    assert progress_of(dry_run).total == 7


@pytest.mark.usefixtures("small_batches")
def test_a_take_that_arrives_meanwhile_is_not_in_it(curator: User, raised: RuleSet) -> None:
    stored_takes(3)
    dry_run = started(curator, raised)
    assert execute_batch(dry_run.pk)
    stored_takes(1)
    assert not execute_batch(dry_run.pk)
    assert results_of(dry_run).reports == 3


def test_the_same_rules_are_tried_once_at_a_time(curator: User, raised: RuleSet) -> None:
    assert started(curator, raised) == started(curator, raised)
    earlier = finished(curator, raised)
    assert started(curator, raised) != earlier
    assert Entry.objects.filter(action="curation.dry_run_started").count() == 2


def test_without_rules_in_force_there_is_nothing_to_compare_with(
    curator: User, raised: RuleSet
) -> None:
    RuleSetRelease.objects.update(is_active=False)
    with pytest.raises(ValidationError):
        started(curator, raised)


def test_only_one_worker_has_it_at_a_time(curator: User, raised: RuleSet) -> None:
    stored_takes(1)
    dry_run = started(curator, raised)
    DryRun.objects.update(
        state=DryRun.State.RUNNING,
        lease=uuid.uuid4(),
        lease_until=timezone.now() + timedelta(seconds=30),
    )
    assert not execute_batch(dry_run.pk)
    assert stale() == []
    assert dry_run.examined.count() == 0


@pytest.mark.usefixtures("small_batches")
def test_cancelling_keeps_nothing_and_stops_a_worker_that_is_on_it(
    curator: User, raised: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored_takes(7)
    dry_run = started(curator, raised)
    execute_batch(dry_run.pk)
    examine = dry_run_execution._examined

    def cancelled_meanwhile(*given: object) -> object:
        rows = examine(*given)  # type: ignore[arg-type]
        cancel_dry_run(dry_run=dry_run, curator=curator)
        return rows

    monkeypatch.setattr(dry_run_execution, "_examined", cancelled_meanwhile)
    assert not execute_batch(dry_run.pk)
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.CANCELLED
    assert dry_run.examined.count() == 0
    assert not execute_batch(dry_run.pk)
    cancel_dry_run(dry_run=dry_run, curator=curator)
    assert Entry.objects.filter(action="curation.dry_run_cancelled").count() == 1


def test_rules_that_fail_on_a_report_are_tried_three_times(
    curator: User, raised: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(dry_run_execution, "both_drafts", fail)
    stored_takes(1)
    dry_run = started(curator, raised)
    assert [execute_batch(dry_run.pk) for _ in range(4)] == [True, True, False, False]
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.FAILED


def test_the_sweeper_rings_for_what_was_left_behind(curator: User, raised: RuleSet) -> None:
    dry_run = started(curator, raised)
    assert stale() == []
    long_ago = timezone.now() - timedelta(minutes=5)
    DryRun.objects.update(queued_at=long_ago)
    assert stale() == [dry_run.pk]
    assert stale() == []
    DryRun.objects.update(
        state=DryRun.State.RUNNING,
        lease=uuid.uuid4(),
        lease_until=long_ago,
        enqueued_again_at=long_ago,
    )
    assert stale() == [dry_run.pk]
    sweep()


def test_starting_rings_once_the_row_is_there(
    curator: User,
    raised: RuleSet,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True) as enqueued:
        dry_run = started(curator, raised)
        started(curator, raised)
    assert len(enqueued) == 1
    run_batch(str(dry_run.pk))
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.DONE


_DYING = """
import os, signal, sys, uuid, django
django.setup()
from coach.curation.dry_runs import execution
execution.BATCH = 3
conclude = execution._conclude
def die(*given):
    if given[0].row.get().cursor:
        os.kill(os.getpid(), signal.SIGKILL)
    return conclude(*given)
execution._conclude = die
while execution.execute_batch(uuid.UUID(sys.argv[1])):
    pass
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_batches")
@override_settings(STAGE_LEASE_SECONDS=0)
def test_a_killed_worker_costs_one_batch_and_nothing_is_counted_twice(
    curator: User, raised: RuleSet, database_url: str
) -> None:
    stored_takes(7)
    dry_run = started(curator, raised)
    server = urlsplit(database_url)
    environment = {
        **os.environ,
        "DATABASE_URL": server._replace(path=f"/{connection.settings_dict['NAME']}").geturl(),
        "ROSTRUM_STAGE_LEASE_SECONDS": "0",
        "DJANGO_SETTINGS_MODULE": "coach.settings",
    }
    ended = subprocess.run(
        [sys.executable, "-c", _DYING, str(dry_run.pk)], cwd=ROOT, env=environment, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    assert dry_run.examined.count() == 3
    assert stale() == [dry_run.pk]
    while execute_batch(dry_run.pk):
        pass
    results = results_of(dry_run)
    assert (results.reports, results.changed) == (7, 7)


@pytest.mark.django_db(transaction=True)
@override_settings(STAGE_LEASE_SECONDS=1)
def test_a_batch_that_takes_longer_than_its_lease_keeps_it(
    curator: User, raised: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    examine = dry_run_execution._examined
    left_behind: list[uuid.UUID] = []

    def slowly(*given: object) -> object:
        time.sleep(2)
        left_behind.extend(stale())
        return examine(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(dry_run_execution, "_examined", slowly)
    stored_takes(1)
    dry_run = finished(curator, raised)
    assert left_behind == []
    assert (dry_run.state, dry_run.examined.count()) == (DryRun.State.DONE, 1)


def test_a_batch_that_kills_its_worker_again_and_again_is_given_up(
    curator: User, raised: RuleSet
) -> None:
    dry_run = started(curator, raised)
    DryRun.objects.update(attempts=3)
    assert not execute_batch(dry_run.pk)
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.FAILED
