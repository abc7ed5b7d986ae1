"""docs/guides/curator.md against the screens: its way is walked, and its words are there.

ROSTRUM_PICTURES=docs/pictures writes its pictures anew while walking.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import FloatRect, Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Cohort, Purpose, Role, User
from coach.accounts.services import give_consent
from coach.curation.dry_runs import tasks
from coach.curation.dry_runs.execution import execute_batch
from coach.curation.dry_runs.models import DryRun
from coach.rulesets.services import publish_builtin_rules
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import sign_out
from tests.coach.factories import RehearsalFactory, UserFactory, finish_analysis
from tests.feedback_rules.reports import a_report, events

pytestmark = pytest.mark.django_db(transaction=True)

DOCS = Path(__file__).resolve().parents[3] / "docs"
PICTURES = os.environ.get("ROSTRUM_PICTURES", "")
TAKES, CLEAR, NEAR = 12, 6, 2
"""Of the takes, so many are clear of six a minute, and so many of five only."""


@pytest.fixture
def page_size(page: Page) -> Page:
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


@pytest.fixture
def curators(
    live_server: LiveServer, trainee: User, cohort: Cohort, monkeypatch: pytest.MonkeyPatch
) -> tuple[User, User]:
    """Two curators and a dozen takes of somebody who agreed; the test does a worker's part."""
    monkeypatch.setattr(tasks, "enqueue", lambda *_args: None)
    publish_builtin_rules()
    give_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    for number in range(TAKES):
        lower = 6.5 if number < CLEAR else 5.5 if number < CLEAR + NEAR else 3
        rate = {"value": lower + 2, "interval": [lower, lower + 4], "n": 24}
        report = a_report(
            measurements={"fillers.filled_pauses_per_minute": rate},
            events=events("filled_pause", 30, 80, 150, lasting=0.4, label="um", probability=0.9),
        )
        take = RehearsalFactory(owner=trainee, cohort=cohort)
        finish_analysis(take, report)
    cora = UserFactory(email="cora@example.org", name="Cora Curator", roles=[Role.CURATOR])
    return cora, UserFactory(email="cyril@example.org", name="Cyril Curator", roles=[Role.CURATOR])


class Walk:
    """What stood on the screens so far, and pictures of them where they are asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen = ""

    def look(self, picture: str = "", *, width: int = 1280, height: int = 640) -> None:
        """Remember the words of the screen."""
        self.seen += self.page.locator("body").inner_text() + "\n"
        if picture and PICTURES:
            header = 0 if picture == "curators-threshold" else 53
            clip = FloatRect(x=(1280 - width) / 2, y=header, width=width, height=height)
            path = Path(PICTURES) / f"{picture}.png"
            self.page.screenshot(path=path, clip=clip, full_page=True)


def bold_in(text: str) -> set[str]:
    """What the guide prints in bold inside its steps: names of buttons, links and pages."""
    steps = text.partition("## Raise a threshold")[2].partition("## What else")[0]
    return set(re.findall(r"\*\*([^*]+)\*\*", steps))


def test_the_guide_says_what_is_on_the_screens(
    arrive: Arrive, curators: tuple[User, User], page_size: Page
) -> None:
    cora, cyril = curators
    page = arrive(cora, reverse("curation:rules"))
    walk = Walk(page)
    walk.look()
    page.get_by_label("Find a rule").fill("filled pauses clear")
    page.get_by_label("Find a rule").press("Enter")
    page.get_by_role("link", name="Filled pauses clear of five a minute").click()
    expect(page.get_by_role("heading", name="When it applies")).to_be_visible()
    walk.look("curators-rule", height=760)
    page.get_by_role("link", name="Change this rule").click()
    page.wait_for_url("**/edit/**")
    page.wait_for_load_state()  # Before its scripts run, the page does not hear what is typed.
    page.get_by_label("Threshold", exact=True).first.fill("6")
    expect(page.get_by_text("You moved a threshold")).to_be_visible()
    walk.look("curators-threshold", height=800)
    page.get_by_role("button", name="Set all to the new threshold").click()
    expect(page.get_by_text("You moved a threshold")).to_have_count(0)
    for box in page.get_by_label("Keep it: a study’s figure").all():
        with page.expect_response("**/check/"):  # Its answer brings the list of boxes again.
            box.check()
    expect(page.get_by_text("All cases and texts pass.")).to_be_visible()
    page.get_by_label("Why you change it").fill("Coaches found five a minute unremarkable.")
    page.get_by_role("button", name="Propose this change").click()
    page.wait_for_url("**/proposals/*/")
    walk.look()
    proposal = page.url.split("/rules/")[1]
    page.get_by_role("button", name="Start a dry run on all stored takes").click()
    page.wait_for_url("**/dry-runs/*/")
    while execute_batch(DryRun.objects.latest("created_at").pk):
        pass
    expect(page.get_by_text("takes examined")).to_be_visible()
    walk.look("curators-dry-run", width=1000, height=580)
    page.get_by_role("link", name="A take of 3:00").first.click()
    expect(page.get_by_text("With the changed rules")).to_be_visible()
    walk.look("curators-example", height=640)

    sign_out(page)
    arrive(cyril, reverse("curation:rules"))
    page.get_by_role("link", name="Filled pauses clear of five a minute").click()
    walk.look()
    page.get_by_role("link", name="View the change").click()
    page.wait_for_url(f"**/{proposal}")
    walk.look("curators-decide", height=630)
    page.get_by_role("button", name="Approve").click()
    walk.look()
    page.get_by_role("link", name="Go to publishing").click()
    walk.look()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published as rule set 2")).to_be_visible()
    walk.look()
    page.get_by_text("Use set 1 again").click()
    page.get_by_label("Why you go back").fill("Coaches miss the card.")
    walk.look()
    page.get_by_role("button", name="Use it again").click()
    expect(page.get_by_text("The rules of set 1 are in use again")).to_be_visible()
    walk.look("curators-sets", height=480)

    missing = {
        name
        for name in bold_in((DOCS / "guides" / "curator.md").read_text())
        if name not in walk.seen
    }
    assert not missing


def test_the_rule_sets_fit_a_phone(arrive: Arrive, curators: tuple[User, User]) -> None:
    page = arrive(curators[0], reverse("curation:releases"))
    page.set_viewport_size({"width": 390, "height": 800})
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) == 0
