"""Dry runs: batch by batch, resumable, counted for all, shown only where the owner agrees."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
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

from analysis.results import Event, Measurement, Report
from coach.accounts.models import Purpose, Role, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.audit.models import Entry
from coach.curation import dry_run_execution
from coach.curation.dry_run_execution import execute_batch, forgotten
from coach.curation.dry_run_models import DryRun
from coach.curation.dry_run_selectors import (
    dry_runs_for,
    examples_for,
    latest_dry_run,
    progress_of,
    results_of,
)
from coach.curation.dry_run_services import cancel_dry_run, start_dry_run
from coach.curation.models import Proposal
from coach.curation.selectors import rule_set_with, working_rule
from coach.curation.services import propose_change
from coach.curation.tasks import run_batch, sweep
from coach.feedback.models import Feedback, Run
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import delete_rehearsal
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_of
from feedback_rules.model import RuleSet
from tests.coach.conftest import SignIn, says
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, make_report

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three takes a batch."""
    monkeypatch.setattr(dry_run_execution, "BATCH", 3)


@pytest.fixture
def proposal(release: RuleSetRelease, curator: User) -> Proposal:
    """FIL001 with its limit raised from 5 to 7 a minute: a lower end of 6 no longer clears it."""
    working = working_rule("FIL001")
    assert working is not None
    rule = rule_of(working.newest)
    first = rule.when.all[0].model_copy(update={"value": 7})
    raised = rule.model_copy(update={"when": rule.when.model_copy(update={"all": (first,)})})
    return propose_change(rule=raised, base=working.newest, author=curator, why="Fewer cards.")


@pytest.fixture
def raised(proposal: Proposal) -> RuleSet:
    """The rules in force with that proposal in place."""
    return rule_set_with(proposal)


def _takes(count: int, report: Report | None = None) -> list[Rehearsal]:
    takes = [RehearsalFactory(owner=UserFactory()) for _ in range(count)]
    for take in takes:
        finish_analysis(take, report)
    return takes


def _started(curator: User, rule_set: RuleSet) -> DryRun:
    return start_dry_run(curator=curator, rule_set=rule_set, title="A higher limit")


def _finished(curator: User, rule_set: RuleSet) -> DryRun:
    dry_run = _started(curator, rule_set)
    while execute_batch(dry_run.pk):
        pass
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.DONE
    return dry_run


def _mildly() -> Report:
    """Ums at 12 to 15 a minute, which a limit of 7 does not change."""
    rate = Measurement(
        value=13.0, unit="per minute", n=39, coverage=0.95, quality="good", interval=(12.0, 15.0)
    )
    return make_report(**{"fillers.filled_pauses_per_minute": rate})


# --- what it finds


@pytest.mark.usefixtures("small_batches")
def test_it_counts_what_would_change_on_every_stored_take(curator: User, raised: RuleSet) -> None:
    _takes(4)
    _takes(3, _mildly())
    results = results_of(_finished(curator, raised))
    assert (results.reports, results.changed, results.items_changed) == (7, 4, 4)
    assert results.rules == {
        "FIL001": {
            "gained": 0, "lost": 4, "moved": 0,
            "reworded": 0, "newly_waiting": 0, "no_longer_waiting": 0,
        }
    }  # fmt: skip


def test_other_words_are_a_change_though_the_items_stay(
    curator: User, release: RuleSetRelease
) -> None:
    _takes(2)
    working = working_rule("FIL001")
    assert working is not None
    rule = rule_of(working.newest)
    english = rule.message.en.model_copy(update={"suggestion": "Try one breath before a name."})
    other = rule.model_copy(update={"message": rule.message.model_copy(update={"en": english})})
    proposal = propose_change(rule=other, base=working.newest, author=curator, why="Shorter.")
    results = results_of(_finished(curator, rule_set_with(proposal)))
    assert (results.changed, results.items_changed) == (2, 0)
    assert results.rules["FIL001"]["reworded"] == 2


def test_what_only_coaches_see_is_a_change_too(curator: User, release: RuleSetRelease) -> None:
    _takes(1)
    working = working_rule("FIL001")
    assert working is not None
    handed = rule_of(working.newest).model_copy(update={"decided_by": "coach"})
    proposal = propose_change(rule=handed, base=working.newest, author=curator, why="Ask them.")
    counts = results_of(_finished(curator, rule_set_with(proposal))).rules["FIL001"]
    assert (counts["lost"], counts["newly_waiting"]) == (1, 1)


def test_only_the_newest_draft_of_a_take_is_examined(curator: User, raised: RuleSet) -> None:
    [take] = _takes(1)
    finish_analysis(take, _mildly())
    results = results_of(_finished(curator, raised))
    assert (results.reports, results.changed) == (1, 0)


def test_feedback_that_people_have_is_not_touched(curator: User, raised: RuleSet) -> None:
    _takes(2)
    before = list(Feedback.objects.values())
    _finished(curator, raised)
    assert list(Feedback.objects.values()) == before


def test_a_report_that_cannot_be_read_is_named_and_not_counted(
    curator: User, raised: RuleSet
) -> None:
    _takes(2)
    Run.objects.filter(pk=Run.objects.values("pk")[:1]).update(report={"schema_version": 99})
    results = results_of(_finished(curator, raised))
    assert (results.reports, results.unreadable, results.changed) == (1, 1, 1)


def test_without_any_take_it_is_done_at_once(curator: User, raised: RuleSet) -> None:
    dry_run = _finished(curator, raised)
    assert results_of(dry_run).reports == 0
    assert progress_of(dry_run).percent == 100


def test_the_result_for_exactly_these_rules_can_be_asked_for(
    curator: User, raised: RuleSet
) -> None:
    assert latest_dry_run(raised) is None
    dry_run = _finished(curator, raised)
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

    _finished(curator, raised)
    assert "No take was stored when this was tried." in shown()
    assert "Try it again" not in shown()
    _takes(2)
    assert "2 takes were drafted since then." in shown()
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
    assert b"Try everything that is approved" not in client.get(page).content
    Proposal.objects.filter(pk=proposal.pk).update(state=Proposal.State.APPROVED)
    assert b"Try everything that is approved" in client.get(page).content


# --- going on, stopping


@pytest.mark.usefixtures("small_batches")
def test_its_row_says_how_far_it_is(curator: User, raised: RuleSet) -> None:
    _takes(7)
    dry_run = _started(curator, raised)
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
    _takes(7)
    dry_run = _started(curator, raised)
    execute_batch(dry_run.pk)
    assert progress_of(dry_run).total == 7


@pytest.mark.usefixtures("small_batches")
def test_a_take_that_arrives_meanwhile_is_not_in_it(curator: User, raised: RuleSet) -> None:
    _takes(3)
    dry_run = _started(curator, raised)
    assert execute_batch(dry_run.pk)
    _takes(1)
    assert not execute_batch(dry_run.pk)
    assert results_of(dry_run).reports == 3


def test_the_same_rules_are_tried_once_at_a_time(curator: User, raised: RuleSet) -> None:
    assert _started(curator, raised) == _started(curator, raised)
    finished = _finished(curator, raised)
    assert _started(curator, raised) != finished
    assert Entry.objects.filter(action="curation.dry_run_started").count() == 2


def test_without_rules_in_force_there_is_nothing_to_compare_with(
    curator: User, raised: RuleSet
) -> None:
    RuleSetRelease.objects.update(is_active=False)
    with pytest.raises(ValidationError):
        _started(curator, raised)


def test_only_one_worker_has_it_at_a_time(curator: User, raised: RuleSet) -> None:
    _takes(1)
    dry_run = _started(curator, raised)
    DryRun.objects.update(
        state=DryRun.State.RUNNING,
        lease=uuid.uuid4(),
        lease_until=timezone.now() + timedelta(seconds=30),
    )
    assert not execute_batch(dry_run.pk)
    assert forgotten() == []
    assert dry_run.examined.count() == 0


@pytest.mark.usefixtures("small_batches")
def test_cancelling_keeps_nothing_and_stops_a_worker_that_is_on_it(
    curator: User, raised: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    _takes(7)
    dry_run = _started(curator, raised)
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
    _takes(1)
    dry_run = _started(curator, raised)
    assert [execute_batch(dry_run.pk) for _ in range(4)] == [True, True, False, False]
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.FAILED


def test_the_sweeper_rings_for_what_was_left_behind(curator: User, raised: RuleSet) -> None:
    dry_run = _started(curator, raised)
    assert forgotten() == []
    long_ago = timezone.now() - timedelta(minutes=5)
    DryRun.objects.update(queued_at=long_ago)
    assert forgotten() == [dry_run.pk]
    DryRun.objects.update(state=DryRun.State.RUNNING, lease=uuid.uuid4(), lease_until=long_ago)
    assert forgotten() == [dry_run.pk]
    sweep()


def test_starting_rings_once_the_row_is_there(
    curator: User,
    raised: RuleSet,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True) as rung:
        dry_run = _started(curator, raised)
        _started(curator, raised)
    assert len(rung) == 1
    run_batch(str(dry_run.pk))
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.DONE


_DYING = """
import os, signal, sys, uuid, django
django.setup()
from coach.curation import dry_run_execution as execution
execution.BATCH = 3
conclude = execution._conclude
def die(*given):
    if given[0].cursor:
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
    _takes(7)
    dry_run = _started(curator, raised)
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
    assert forgotten() == [dry_run.pk]
    while execute_batch(dry_run.pk):
        pass
    results = results_of(dry_run)
    assert (results.reports, results.changed) == (7, 7)


# --- whose takes


@pytest.fixture
def examined(take: Rehearsal, curator: User, raised: RuleSet) -> DryRun:
    """A dry run that would take Ana's card away, and those of two others."""
    _takes(2)
    return _finished(curator, raised)


def test_nobody_is_an_example_who_did_not_agree(examined: DryRun, curator: User) -> None:
    assert results_of(examined).changed == 3
    assert not examples_for(curator, examined).exists()


def test_who_agrees_is_an_example_until_the_consent_is_withdrawn(
    examined: DryRun, curator: User, trainee: User, sign_in: SignIn
) -> None:
    give_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    example = examples_for(curator, examined).get()
    path = f"/rules/dry-runs/{examined.pk}/examples/{example.pk}/"
    client = sign_in(curator)
    page = client.get(path).content.decode()
    assert "You filled many gaps" in page
    assert example.feedback.rehearsal.title not in page
    assert not says(page, str(trainee))
    assert Viewing.objects.get(viewer=curator).what == "rule_preview"
    withdraw_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    assert not examples_for(curator, examined).exists()
    assert client.get(path).status_code == 404


def test_the_words_of_somebody_else_are_not_shown(
    curator: User, raised: RuleSet, release: RuleSetRelease, sign_in: SignIn
) -> None:
    [take] = _takes(1, _with_a_habit())
    give_consent(user=take.owner, purpose=Purpose.RULE_PREVIEW)
    working = working_rule("WRD003")
    assert working is not None
    silent = rule_of(working.newest).model_copy(update={"status": "retired"})
    proposal = propose_change(rule=silent, base=working.newest, author=curator, why="Noisy.")
    dry_run = _finished(curator, rule_set_with(proposal))
    example = examples_for(curator, dry_run).get()
    assert example.lost == ["WRD003"]
    path = f"/rules/dry-runs/{dry_run.pk}/examples/{example.pk}/"
    page = sign_in(curator).get(path).content.decode()
    assert "“…”" in page
    assert "word60" not in page
    take.owner = curator
    take.save()
    assert "word60" in sign_in(curator).get(path).content.decode()


def _with_a_habit() -> Report:
    rates = {"wording.verbal_habits_per_minute": 4.0, "fillers.filler_words_per_minute": 3.0}
    measured = {
        metric: Measurement(
            value=value, unit="per minute", n=12, coverage=0.95, quality="good", interval=(2.5, 5)
        )
        for metric, value in rates.items()
    }
    measured["fillers.filled_pauses_per_minute"] = Measurement(
        value=1.0, unit="per minute", n=3, coverage=0.95, quality="good", interval=(0.4, 2.2)
    )
    report = make_report(**measured)
    said = tuple(
        Event(kind="verbal_habit", start=at, end=at + 0.4, label=f"word{int(at * 2)}")
        for at in (30.0, 45.0, 60.0, 90.0, 120.0)
    )
    return report.model_copy(update={"events": (*report.events, *said)})


def test_ones_own_take_is_an_example_with_its_title(
    examined: DryRun, curator: User, take: Rehearsal, sign_in: SignIn
) -> None:
    take.owner = curator
    take.save()
    example = examples_for(curator, examined).get()
    path = f"/rules/dry-runs/{examined.pk}/examples/{example.pk}/"
    assert take.title in sign_in(curator).get(path).content.decode()
    assert not Viewing.objects.exists()


def test_a_deleted_take_leaves_no_trace(examined: DryRun, take: Rehearsal) -> None:
    delete_rehearsal(rehearsal=take)
    results = results_of(examined)
    assert (results.reports, results.changed) == (2, 2)
    assert results.rules["FIL001"]["lost"] == 2
    assert (progress_of(examined).done, progress_of(examined).total) == (2, 2)


def test_a_take_deleted_while_a_batch_runs_is_not_written_down(
    curator: User, raised: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _second = _takes(2)
    examine = dry_run_execution._examined

    def deleted_meanwhile(*given: object) -> object:
        rows = examine(*given)  # type: ignore[arg-type]
        delete_rehearsal(rehearsal=first)
        return rows

    monkeypatch.setattr(dry_run_execution, "_examined", deleted_meanwhile)
    assert results_of(_finished(curator, raised)).reports == 1


# --- pages


def test_a_proposal_is_tried_from_its_page(
    proposal: Proposal, curator: User, sign_in: SignIn, take: Rehearsal
) -> None:
    client = sign_in(curator)
    response = client.post("/rules/dry-runs/start/", {"proposal": proposal.pk})
    dry_run = DryRun.objects.get()
    assert response.headers["Location"] == f"/rules/dry-runs/{dry_run.pk}/"
    assert dry_run.title == "FIL001, version 2"
    waiting = client.get(f"/rules/dry-runs/{dry_run.pk}/progress/")
    assert waiting.status_code == 200
    assert 'hx-trigger="every 1s"' in waiting.content.decode()
    execute_batch(dry_run.pk)
    done = client.get(f"/rules/dry-runs/{dry_run.pk}/progress/")
    assert done.status_code == 286
    assert "hx-trigger" not in done.content.decode()
    page = client.get(f"/rules/dry-runs/{dry_run.pk}/").content.decode()
    assert "FIL001" in page
    assert "Filled pauses clear of five a minute" in page
    assert "None that you may look at" in page
    assert "1 of 1 takes would change" in client.get("/rules/dry-runs/").content.decode()


def test_everything_approved_is_tried_where_nothing_is_named(
    proposal: Proposal, curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    client.post("/rules/dry-runs/start/")
    assert DryRun.objects.get().title == "Everything that is approved"
    assert client.post("/rules/dry-runs/start/", {"proposal": "999"}).status_code == 404
    assert client.post("/rules/dry-runs/start/", {"proposal": "x"}).status_code == 404


def test_it_is_cancelled_from_its_page(raised: RuleSet, curator: User, sign_in: SignIn) -> None:
    dry_run = _started(curator, raised)
    client = sign_in(curator)
    client.post(f"/rules/dry-runs/{dry_run.pk}/cancel/")
    page = client.get(f"/rules/dry-runs/{dry_run.pk}/").content.decode()
    assert "This dry run was cancelled" in page


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.COACH, Role.RESEARCHER])
def test_nobody_but_curators_sees_any_of_it(
    role: Role, examined: DryRun, trainee: User, sign_in: SignIn, client: object
) -> None:
    give_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    user = UserFactory(roles=[role])
    assert not dry_runs_for(user).exists()
    assert not examples_for(user, examined).exists()
    signed_in = sign_in(user)
    base = f"/rules/dry-runs/{examined.pk}/"
    row = examined.examined.first()
    assert row is not None
    for path in ("/rules/dry-runs/", base, f"{base}progress/", f"{base}examples/{row.pk}/"):
        assert signed_in.get(path).status_code == 404
    for path in ("/rules/dry-runs/start/", f"{base}cancel/"):
        assert signed_in.post(path).status_code == 404
