"""The studio in a real browser: the journey of a raised threshold, and axe on every page."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Role, User
from coach.curation.dry_runs import tasks
from coach.curation.dry_runs.execution import execute_batch
from coach.curation.dry_runs.models import DryRun
from coach.rehearsals.models import Rehearsal
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.services import publish_builtin_rules
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import check, sign_out
from tests.coach.curation.steps import proposed
from tests.coach.factories import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def curators(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> tuple[User, User]:
    """Dora and Emil; no worker runs here, so the test itself does a dry run's work."""
    monkeypatch.setattr(tasks, "enqueue", lambda *_args: None)
    publish_builtin_rules()
    dora = UserFactory(email="dora@example.org", name="Dora", roles=[Role.CURATOR])
    return dora, UserFactory(email="emil@example.org", name="Emil", roles=[Role.CURATOR])


def try_it(page: Page) -> None:
    """Start a dry run, do the work that a worker would, and come back."""
    here = page.url
    page.get_by_role("button", name="Start a dry run on all stored takes").click()
    page.wait_for_url("**/dry-runs/*/")
    while execute_batch(DryRun.objects.latest("created_at").pk):
        pass
    expect(page.get_by_text("takes examined")).to_be_visible()
    page.goto(here)


@pytest.mark.usefixtures("playable_take")
def test_a_threshold_is_raised_tried_approved_published_and_taken_back(
    arrive: Arrive, curators: tuple[User, User]
) -> None:
    dora, emil = curators
    page = arrive(dora, reverse("curation:rules"))
    page.get_by_role("link", name="Filled pauses clear of five a minute").click()
    page.get_by_role("link", name="Change this rule").click()
    page.wait_for_url("**/edit/**")
    page.wait_for_load_state()  # Before its scripts run, the page does not hear what is typed.
    page.get_by_label("Threshold", exact=True).first.fill("7")
    expect(page.get_by_text("You moved a threshold")).to_be_visible()
    page.get_by_role("button", name="Set all to the new threshold").click()
    expect(page.get_by_text("You moved a threshold")).to_have_count(0)
    for box in page.get_by_label("Keep it: a study’s figure").all():
        with page.expect_response("**/check/"):  # Its answer brings the list of boxes again.
            box.check()
    expect(page.get_by_text("All cases and texts pass.")).to_be_visible()
    page.get_by_label("Why you change it").fill("Coaches rejected it at five.")
    page.get_by_role("button", name="Propose this change").click()
    page.wait_for_url("**/proposals/*/")
    expect(page.get_by_text("another curator has to approve it")).to_be_visible()
    try_it(page)
    expect(
        page.get_by_text("Tried on 1 take: different cards on 1, different words on 0,")
    ).to_be_visible()
    proposal = page.url.split("/rules/")[1]

    sign_out(page)
    arrive(emil, f"/rules/{proposal}")
    page.get_by_role("button", name="Approve").click()
    page.get_by_role("link", name="Go to publishing").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published as rule set 2")).to_be_visible()
    threshold = RuleSetRelease.objects.get(number=2).documents
    assert {each["id"]: each for each in threshold}["FIL001"]["when"]["all"][0]["value"] == 7

    page.get_by_text("Use set 1 again").click()
    page.get_by_label("Why you go back").fill("Coaches miss the card.")
    page.get_by_role("button", name="Use it again").click()
    expect(page.get_by_text("The rules of set 1 are in use again")).to_be_visible()
    active = RuleSetRelease.objects.get(is_active=True)
    assert (active.number, active.digest) == (3, RuleSetRelease.objects.get(number=1).digest)


@pytest.mark.usefixtures("playable_take")
def test_the_editor_answers_while_one_writes_and_keeps_the_place(
    arrive: Arrive, curators: tuple[User, User]
) -> None:
    page = arrive(curators[0], reverse("curation:edit", args=["FIL001"]))
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.wait_for_url("**/edit/**")
    page.wait_for_load_state()  # Before its scripts run, the page does not hear what is typed.
    field = page.get_by_label("Why it matters · English")
    field.fill("That is too bad.")
    expect(page.get_by_text("“too” judges.")).to_be_visible()
    expect(field).to_be_focused()
    field.fill("Listeners then hear the sound before your point.")
    expect(page.get_by_text("“too” judges.")).to_have_count(0)
    card = page.locator("#previews .card").first
    expect(card).to_contain_text("hear the sound before your point")
    page.get_by_label("Distance at which it has full weight").fill("wide")
    expect(page.get_by_text("Write a number, such as 5 or 0.2.")).to_be_visible()
    assert problems == []


def test_the_form_works_without_scripts(
    live_server: LiveServer, curators: tuple[User, User], page: Page, arrive: Arrive
) -> None:
    page.route(re.compile(r"\.js($|\?)"), lambda route: route.abort())
    arrive(curators[0], reverse("curation:edit", args=["FIL001"]))
    page.get_by_label("Threshold", exact=True).first.fill("6")
    page.get_by_label("Threshold", exact=True).first.press("Enter")
    page.get_by_role("button", name="Set all to the new threshold").click()
    expect(page.get_by_text("You moved a threshold")).to_have_count(0)
    for box in page.get_by_label("Keep it: a study’s figure").all():
        with page.expect_response("**/check/"):  # Its answer brings the list of boxes again.
            box.check()
    page.get_by_label("Why you change it").fill("Coaches rejected it at five.")
    page.get_by_role("button", name="Propose this change").click()
    page.wait_for_url("**/proposals/*/")
    expect(page.get_by_text("All cases and texts pass")).to_be_visible()


class TestAxe:
    """With axe, which is not part of the page; the page's own policy would refuse it."""

    @pytest.fixture
    def browser_context_args(self, browser_context_args: dict[str, object]) -> dict[str, object]:
        """Without the policy."""
        return {**browser_context_args, "bypass_csp": True}

    def test_the_curators_pages(
        self,
        arrive: Arrive,
        axe: str,
        live_server: LiveServer,
        curators: tuple[User, User],
        playable_take: Rehearsal,
    ) -> None:
        proposal = proposed(curators[1])
        page = arrive(curators[0], reverse("curation:rules"))
        paths = [
            reverse("curation:rules"),
            reverse("curation:rule", args=["FIL001"]),
            reverse("curation:edit", args=["GAZ005"]),
            reverse("curation:proposal", args=[proposal.pk]),
            reverse("curation:publish"),
            reverse("curation:releases"),
            reverse("curation:import"),
        ]
        for path in paths:
            page.goto(live_server.url + path)
            check(page, axe, path)


def test_a_row_that_is_added_copied_or_removed_keeps_the_focus_where_one_works(
    arrive: Arrive, curators: tuple[User, User]
) -> None:
    """The form comes anew each time; from its top it would be some eighty tabs back."""
    page = arrive(curators[0], reverse("curation:edit", args=["FIL001"]))
    rows = page.locator("#section-when .group--row")
    before = rows.count()
    page.locator("button[value='add|metric|when|all']").press("Enter")
    expect(rows).to_have_count(before + 1)
    expect(page.locator("[name='when|all|1|metric']")).to_be_focused()
    page.locator("button[value='copy|when|all|1']").press("Enter")
    expect(page.locator("[name='when|all|2|metric']")).to_be_focused()
    page.locator("button[value='remove|when|all|2']").press("Enter")
    expect(page.locator("button[value='remove|when|all|1']")).to_be_focused()
    page.get_by_role("button", name="Propose this change").press("Enter")
    expect(page.get_by_label("Why you change it")).to_be_focused()
