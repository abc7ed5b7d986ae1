"""Dry runs and the takes that they examine, for the tests of dry runs."""

from __future__ import annotations

from analysis.results import Measurement, Report
from coach.accounts.models import User
from coach.curation.dry_runs.execution import execute_batch
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.services import start_dry_run
from coach.rehearsals.models import Rehearsal
from feedback_rules.model import RuleSet
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis, make_report


def stored_takes(count: int, report: Report | None = None) -> list[Rehearsal]:
    takes = [RehearsalFactory(owner=UserFactory()) for _ in range(count)]
    for take in takes:
        finish_analysis(take, report)
    return takes


def started(curator: User, rule_set: RuleSet) -> DryRun:
    return start_dry_run(curator=curator, rule_set=rule_set, title="A higher limit")


def finished(curator: User, rule_set: RuleSet) -> DryRun:
    dry_run = started(curator, rule_set)
    while execute_batch(dry_run.pk):
        pass
    dry_run.refresh_from_db()
    assert dry_run.state == DryRun.State.DONE
    return dry_run


def mild_report() -> Report:
    """Ums at 12 to 15 a minute, which a limit of 7 does not change."""
    rate = Measurement(
        value=13.0, unit="per minute", n=39, coverage=0.95, quality="good", interval=(12.0, 15.0)
    )
    return make_report(**{"fillers.filled_pauses_per_minute": rate})
