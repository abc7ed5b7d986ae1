"""A take is coded, noted on and settled with keys; axe finds nothing on any page of it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Role, User
from coach.rehearsals.models import Rehearsal
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Adjudication, Assignment, Code, Coding, Memo
from coach.research.coding.rounds.services import open_round
from coach.research.studies.models import Member, Scope, Study
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import check
from tests.coach.factories import UserFactory
from tests.coach.research.making import agree, make_study, take_part

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """axe is not part of the page; the page's own policy would refuse it."""
    return {**browser_context_args, "bypass_csp": True}


@pytest.fixture
def share(playable_take: Rehearsal, researcher: User) -> Assignment:
    """Rui's share of Ana's take; Ida has finished hers and marked nothing."""
    study: Study = make_study(researcher)
    ida = UserFactory(name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=ida, role=Member.Role.CODER)
    agree(take_part(study, playable_take.owner), Scope.AUDIO, Scope.VIDEO)
    Code.objects.create(study=study, name="opening", colour="#2a9d8f")
    made = open_round(
        study=study,
        title="",
        codebook=keep_version(study=study, note="", actor=researcher),
        coders=[researcher, ida],
        interviews=[],
        takes=[playable_take],
        actor=researcher,
    )
    made.assignments.filter(coder__user=ida).update(finished_at=timezone.now())
    return made.assignments.get(coder__user=researcher)


def to(page: Page, seconds: float) -> None:
    """Where the recording stands; it is really loaded."""
    page.wait_for_function("document.querySelector('[data-take]').readyState > 0")
    page.evaluate("s => { document.querySelector('[data-take]').currentTime = s; }", seconds)


def test_a_take_is_coded_and_settled_with_keys_alone(
    arrive: Arrive, live_server: LiveServer, axe: str, share: Assignment, researcher: User
) -> None:
    page = arrive(researcher, reverse("research:coding", args=["first-talks", share.pk]))
    keys = page.keyboard
    to(page, 3)
    keys.press("[")
    to(page, 8)
    keys.press("]")
    keys.press("1")
    expect(page.get_by_text("0:03–0:08")).to_be_visible()
    for key, words in (("m", "Looks up first."), ("n", "One try.")):
        keys.press(key)
        with page.expect_response("**/coding/**"):
            keys.type(words)
        keys.press("Escape")
    check(page, axe, "take")
    assert (Coding.objects.get().memo, Memo.objects.get().body) == ("Looks up first.", "One try.")
    site = live_server.url
    page.goto(site + reverse("research:give_shares", args=["first-talks", 1]))
    check(page, axe, "give")
    page.goto(site + reverse("research:coding", args=["first-talks", share.pk]))
    for name in ("I have finished this take", "Close round"):
        page.get_by_role("button", name=name).focus()
        with page.expect_navigation():
            keys.press("Enter")
    page.goto(site + reverse("research:differences_of_take", args=["first-talks", 1, share.pk]))
    check(page, axe, "differences")
    page.get_by_role("button", name="Play 0:03–0:08").focus()
    keys.press("Enter")
    page.wait_for_function("document.querySelector('[data-take]').currentTime >= 3")
    keys.press("1")
    expect(page.locator("#settling-state")).to_contain_text("All disagreements are resolved.")
    assert Adjudication.objects.get().rehearsal == share.rehearsal
    page.goto(site + reverse("research:agreement", args=["first-talks", 1]))
    expect(page.locator("#agreement tbody tr")).to_have_count(1)
    check(page, axe, "agreement")
    code = Code.objects.get().pk
    page.goto(f"{site}{reverse('research:reel', args=['first-talks'])}?code={code}&before=0")
    check(page, axe, "reel")
    keys.press("Space")
    playing = "document.querySelector('[data-screening] video').currentTime > 3.2"
    page.wait_for_function(playing)
    expect(page.locator("[data-now]")).to_contain_text("opening")
