"""The administration in a real browser: axe finds nothing, and nothing of a page is refused."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Cohort, LegalHold, Membership, User
from coach.audit.models import Entry
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import problems

pytestmark = pytest.mark.django_db(transaction=True)


def pages(cohort: Cohort, person: User) -> list[str]:
    """Each kind of page that an administrator comes to."""
    return [
        reverse("admin:index"),
        *(reverse(f"admin:accounts_{what}_changelist") for what in ("cohort", "user", "legalhold")),
        *(reverse(f"admin:accounts_{what}_add") for what in ("cohort", "user", "legalhold")),
        reverse("admin:accounts_cohort_change", args=[cohort.pk]),
        reverse("admin:accounts_cohort_delete", args=[cohort.pk]),
        reverse("admin:accounts_cohort_history", args=[cohort.pk]),
        reverse("admin:accounts_user_change", args=[person.pk]),
        reverse("admin:audit_entry_changelist"),
    ]


@pytest.fixture
def refused(page: Page) -> list[str]:
    """What the browser complains of: what the site's own policy refuses is among it."""
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return said


def test_nothing_of_a_page_is_refused_and_a_member_is_added_by_their_address(
    arrive: Arrive,
    live_server: LiveServer,
    cohort: Cohort,
    trainee: User,
    stranger: User,
    administrator: User,
    refused: list[str],
) -> None:
    LegalHold.objects.create(user=trainee, reason="Case 7 at court.")
    page = arrive(administrator, reverse("admin:index"))
    for path in pages(cohort, trainee):
        page.goto(live_server.url + path)
        page.wait_for_load_state("networkidle")
        assert refused == [], path
    page.goto(live_server.url + reverse("admin:accounts_cohort_change", args=[cohort.pk]))
    page.get_by_text("Add another Member").click()
    page.locator("#id_memberships-1-user").fill(stranger.email.upper())
    page.locator("#id_memberships-1-role").select_option("coach")
    expect(page.locator("#people option").first).to_have_count(1)
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/accounts/cohort/")
    assert Membership.objects.filter(user=stranger, cohort=cohort, role="coach").exists()
    assert refused == []


def test_the_audit_log_is_read_without_scrolling_sideways(
    arrive: Arrive, administrator: User, axe: str
) -> None:
    task = "task:coach.research.coding.recordings.tasks.written"
    Entry.objects.create(
        action="rehearsal.shared",
        object_type="rehearsals.rehearsal",
        object_id="11779a8f-b968-47fb-8809-860fa6f16210",
        from_where=task,
        detail={"before": "nobody", "after": "Monday group", "address": "x" * 120},
    )
    page = arrive(administrator, reverse("admin:audit_entry_changelist"))
    for width in (1366, 1280, 1024, 390):
        page.set_viewport_size({"width": width, "height": 800})
        room, needed, whole = page.evaluate(
            "[document.querySelector('.results').clientWidth, "
            "document.querySelector('.results').scrollWidth, document.documentElement.scrollWidth]"
        )
        assert needed <= room, width
        assert whole <= width
        assert "take 11779a8f…" in page.locator("#result_list").inner_text(), width
        assert problems(page, axe) == [], width


def test_axe_finds_nothing(
    arrive: Arrive,
    live_server: LiveServer,
    axe: str,
    cohort: Cohort,
    trainee: User,
    administrator: User,
    page: Page,
) -> None:
    LegalHold.objects.create(user=trainee, reason="Case 7 at court.")
    arrive(administrator, reverse("admin:index"))
    found: dict[str, list[str]] = {}
    for path in pages(cohort, trainee):
        page.goto(live_server.url + path)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            # Django's colours fade from one scheme into the other.
            page.evaluate("document.getAnimations().forEach((each) => each.finish())")
            if wrong := problems(page, axe):
                found[f"{path} {scheme}"] = wrong
    assert not found, "\n".join(f"{at}: {wrong}" for at, wrong in found.items())


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, object], request: pytest.FixtureRequest
) -> dict[str, object]:
    """axe is not part of the page; the page's own policy would refuse it."""
    return {**browser_context_args, "bypass_csp": "axe" in request.fixturenames}
