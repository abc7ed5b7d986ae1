"""Statistics and dry runs in a real browser: axe on each page, a result that arrives alone."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Cohort, Purpose, Role, User
from coach.accounts.services import give_consent
from coach.curation.dry_runs import tasks
from coach.curation.dry_runs.execution import execute_batch
from coach.curation.dry_runs.models import DryRun
from coach.curation.dry_runs.selectors import examples_for
from coach.curation.dry_runs.services import start_dry_run
from coach.curation.selectors import next_rule_set
from coach.feedback.messages import dispute_item
from coach.feedback.models import Item, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.rulesets.services import publish_builtin_rules
from feedback_rules.model import RuleSet
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import check
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def curator(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> User:
    """Dora; no worker runs here, so the tests do the work of a dry run themselves."""
    monkeypatch.setattr(tasks, "enqueue", lambda *_args: None)
    publish_builtin_rules()
    return UserFactory(email="dora@example.org", name="Dora", roles=[Role.CURATOR])


@pytest.fixture
def without_ums(curator: User) -> DryRun:
    """Every rule but the one about ums, about to be tried."""
    rules = next_rule_set()
    fewer = RuleSet(number=2, rules=tuple(r for r in rules.rules if r.id != "FIL001"))
    return start_dry_run(curator=curator, rule_set=fewer, title="Without FIL001")


@pytest.fixture
def decided(playable_take: Rehearsal, coach: User, trainee: User) -> None:
    """Two groups of five, and 31 decisions that flag the rule about ums."""
    for name in ("Autumn course", "Spring course"):
        cohort = Cohort.objects.create(name=name)
        for _ in range(5):
            owner = UserFactory()
            for _ in range(3):
                finish_analysis(RehearsalFactory(owner=owner, cohort=cohort))
    for number, item in enumerate(Item.objects.all()):
        kind = Verdict.Kind.REJECT if number % 2 else Verdict.Kind.ACCEPT
        decide_on_item(item=item, coach=coach, kind=kind, reason="tone" if number % 2 else "")
    dispute_item(item=item, owner=trainee, reason="not_right", note="")


def test_the_result_arrives_while_the_page_is_open(
    arrive: Arrive, playable_take: Rehearsal, without_ums: DryRun, curator: User
) -> None:
    page = arrive(curator, reverse("curation:dry_run", args=[without_ums.pk]))
    expect(page.get_by_text("0 of 1 takes")).to_be_visible()
    execute_batch(without_ums.pk)
    expect(page.get_by_text("takes examined")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="The dry run is done.")).to_be_attached()


def test_a_dry_run_is_cancelled_by_its_button(
    arrive: Arrive, without_ums: DryRun, curator: User
) -> None:
    page = arrive(curator, reverse("curation:dry_run", args=[without_ums.pk]))
    page.get_by_role("button", name="Cancel the dry run").click()
    expect(page.get_by_text("This dry run was cancelled.")).to_be_visible()


class TestAxe:
    """With axe, which is not part of the page; the page's own policy would refuse it."""

    @pytest.fixture
    def browser_context_args(self, browser_context_args: dict[str, object]) -> dict[str, object]:
        """Without the policy."""
        return {**browser_context_args, "bypass_csp": True}

    @pytest.mark.usefixtures("decided")
    def test_the_pages_with_figures(
        self,
        arrive: Arrive,
        axe: str,
        live_server: LiveServer,
        curator: User,
        trainee: User,
        without_ums: DryRun,
    ) -> None:
        page = arrive(curator, reverse("curation:statistics"))
        give_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
        paths = [
            reverse("curation:statistics"),
            reverse("curation:statistics_of", args=["FIL001"]),
            reverse("curation:dry_run", args=[without_ums.pk]),
        ]
        for path in paths:
            page.goto(live_server.url + path)
            check(page, axe, path)
        execute_batch(without_ums.pk)
        example = examples_for(curator, without_ums).first()
        assert example is not None
        paths = [
            reverse("curation:dry_run", args=[without_ums.pk]),
            reverse("curation:dry_runs"),
            reverse("curation:dry_run_example", args=[without_ums.pk, example.pk]),
        ]
        for path in paths:
            page.goto(live_server.url + path)
            check(page, axe, path)
