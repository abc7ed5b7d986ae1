"""Dry runs: whose takes are shown to whom, and the pages."""

from __future__ import annotations

import pytest

from analysis.results import Event, Measurement, Report
from coach.accounts.models import Purpose, Role, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.curation.dry_runs import execution as dry_run_execution
from coach.curation.dry_runs.execution import execute_batch
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.selectors import (
    dry_runs_for,
    examples_for,
    progress_of,
    results_of,
)
from coach.curation.models import Proposal
from coach.curation.selectors import rule_set_with, working_rule
from coach.curation.services import propose_change
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rehearsals.services import delete_rehearsal
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import rule_of
from feedback_rules.model import RuleSet
from tests.coach.conftest import SignIn, says
from tests.coach.curation.dry_runs import finished, started, stored_takes
from tests.coach.factories import UserFactory, make_report
from tests.feedback_rules.reports import shipped


@pytest.fixture
def examined(take: Rehearsal, curator: User, raised: RuleSet) -> DryRun:
    """A dry run that would take Ana's card away, and those of two others."""
    stored_takes(2)
    return finished(curator, raised)


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
    assert "You often said" in page
    assert example.feedback.rehearsal.title not in page
    assert not says(page, str(trainee))
    assert Viewing.objects.get(viewer=curator).what == "rule_preview"
    withdraw_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    assert not examples_for(curator, examined).exists()
    assert client.get(path).status_code == 404


def test_the_words_of_somebody_else_are_not_shown(
    curator: User, raised: RuleSet, release: RuleSetRelease, sign_in: SignIn
) -> None:
    [take] = stored_takes(1, _with_a_habit())
    give_consent(user=take.owner, purpose=Purpose.RULE_PREVIEW)
    working = working_rule("FIL002")
    assert working is not None
    silent = rule_of(working.newest).model_copy(update={"status": "retired"})
    proposal = propose_change(rule=silent, base=working.newest, author=curator, why="Noisy.")
    dry_run = finished(curator, rule_set_with(proposal))
    example = examples_for(curator, dry_run).get()
    assert example.lost == ["FIL002"]
    path = f"/rules/dry-runs/{dry_run.pk}/examples/{example.pk}/"
    page = sign_in(curator).get(path).content.decode()
    assert "“…”" in page
    assert "word60" not in page
    take.owner = curator
    take.save()
    assert "word60" in sign_in(curator).get(path).content.decode()


def _with_a_habit() -> Report:
    rates = {"fillers.filler_words_per_minute": 9.0, "fillers.bursts_per_minute": 0.5}
    measured = {
        metric: Measurement(
            value=value, unit="per minute", n=12, coverage=0.95, quality="good", interval=(7, 11)
        )
        for metric, value in rates.items()
    }
    measured["fillers.filled_pauses_per_minute"] = Measurement(
        value=1.0, unit="per minute", n=3, coverage=0.95, quality="good", interval=(0.4, 2.2)
    )
    report = make_report(**measured)
    said = tuple(
        Event(kind="filler_word", start=at, end=at + 0.4, label=f"word{int(at * 2)}")
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
    first, _second = stored_takes(2)
    examine = dry_run_execution._examined

    def deleted_meanwhile(*given: object) -> object:
        rows = examine(*given)  # type: ignore[arg-type]
        delete_rehearsal(rehearsal=first)
        return rows

    monkeypatch.setattr(dry_run_execution, "_examined", deleted_meanwhile)
    assert results_of(finished(curator, raised)).reports == 1


# --- pages


def test_a_proposal_is_tried_from_its_page(
    proposal: Proposal, curator: User, sign_in: SignIn, take: Rehearsal
) -> None:
    client = sign_in(curator)
    response = client.post("/rules/dry-runs/start/", {"proposal": proposal.pk})
    dry_run = DryRun.objects.get()
    assert response.headers["Location"] == f"/rules/dry-runs/{dry_run.pk}/"
    assert dry_run.title == f"FIL001, version {shipped('FIL001') + 1}"
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
    assert "You cannot open any of these takes" in page
    assert "1 of 1 takes would change" in client.get("/rules/dry-runs/").content.decode()
    User.objects.filter(pk=curator.pk).update(language="fr")
    assert "1 prise sur 1 changerait" in client.get("/rules/dry-runs/").content.decode()


def test_everything_approved_is_tried_where_nothing_is_named(
    proposal: Proposal, curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    client.post("/rules/dry-runs/start/")
    assert DryRun.objects.get().title == "Everything that is approved"
    assert client.post("/rules/dry-runs/start/", {"proposal": "999"}).status_code == 404
    assert client.post("/rules/dry-runs/start/", {"proposal": "x"}).status_code == 404


def test_it_is_cancelled_from_its_page(raised: RuleSet, curator: User, sign_in: SignIn) -> None:
    dry_run = started(curator, raised)
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
