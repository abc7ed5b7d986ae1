"""A trial with coaches only: the share that they keep, with its interval, says what follows."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.models import Proposal
from coach.curation.statistics.tallies import RuleStatistics, Tally
from coach.curation.trials import COACHES_FIRST, trial_of
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import rule_of
from feedback_rules.evaluate import Facts, case_report
from feedback_rules.evaluate.engine import finding_of
from tests.coach.conftest import SignIn
from tests.coach.curation.steps import newest

pytestmark = pytest.mark.usefixtures("release")


def on_trial(**changes: str) -> RuleVersion:
    version = newest("FIL001")
    version.document = {**version.document, "decided_by": COACHES_FIRST, **changes}
    return version


@pytest.mark.parametrize(
    ("kept", "rejected", "outcome", "missing"),
    [
        (0, 0, "waiting", 30),
        (20, 0, "waiting", 10),
        (26, 4, "kept", 0),
        (20, 10, "unclear", 0),
        (9, 21, "rejected", 0),
    ],
)
def test_the_whole_interval_decides(kept: int, rejected: int, outcome: str, missing: int) -> None:
    version = on_trial()
    tally = Tally(accepted=kept, rejected={"not_true": rejected} if rejected else {})
    found = trial_of(version, RuleStatistics(rule="FIL001", versions={version.number: tally}))
    assert found is not None
    assert (found.outcome, found.missing) == (outcome, missing)


def test_a_rule_that_trainees_read_at_once_has_no_trial() -> None:
    assert trial_of(newest("FIL001"), None) is None
    assert trial_of(on_trial(status="draft"), None) is None


def test_a_trial_is_proposed_and_its_cards_wait_for_a_coach(curator: User, sign_in: SignIn) -> None:
    url = reverse("curation:trial", args=["FIL001"])
    client = sign_in(curator)
    client.post(url, {"base": newest("FIL001").number})
    rule = rule_of(Proposal.objects.get(rule="FIL001").version)
    assert rule.decided_by == COACHES_FIRST
    case = next(each for each in rule.cases if each.fires)
    assert finding_of(rule, Facts.of(case_report(case.report), case.context)).needs_coach
    client.post(url, {"base": newest("FIL001").number, "end": "yes"})
    assert Proposal.objects.count() == 1


def test_somebody_elses_change_in_between_is_not_overwritten(
    curator: User, sign_in: SignIn
) -> None:
    url = reverse("curation:trial", args=["FIL001"])
    sign_in(curator).post(url, {"base": newest("FIL001").number - 1})
    assert not Proposal.objects.exists()
