"""The sign-in runs out while somebody types: in a real browser, nothing is lost or swapped in."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import Role, User
from coach.feedback.models import Dispute, Item, Verdict
from coach.guests.services import end_link, make_link
from coach.rehearsals.models import Rehearsal
from coach.rulesets.services import publish_builtin_rules
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import PASSWORD, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def curator(live_server: LiveServer) -> User:
    """Dana, in a studio with the rules that come with Rostrum."""
    publish_builtin_rules()
    return UserFactory(email="dana@example.org", name="Dana", roles=[Role.CURATOR])


def sign_out_meanwhile(page: Page) -> None:
    """The session is gone; the page stays open."""
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)


def sign_in_here(page: Page, person: User) -> None:
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.locator("input[name=login]").fill(person.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")


def test_a_disagreement_is_found_again_and_sent_with_one_button(
    arrive: Arrive, trainee: User, playable_take: Rehearsal
) -> None:
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    page.get_by_text("I disagree").first.click()
    page.locator("input[name=reason]").first.check()
    page.get_by_label("In your own words").first.fill("That was the slide changing.")
    sign_out_meanwhile(page)
    page.get_by_role("button", name="Save disagreement").first.click()
    sign_in_here(page, trainee)
    expect(page.get_by_text("That was the slide changing.")).to_be_visible()
    page.get_by_role("button", name="Send now").click()
    page.wait_for_url(f"**{reverse('feedback:report', args=[playable_take.pk])}*")
    assert Dispute.objects.get().note == "That was the slide changing."


def test_the_desk_stays_and_goes_on_once_signed_in_again_in_another_tab(
    arrive: Arrive, coach: User, sent_take: Rehearsal
) -> None:
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.locator("summary", has_text="Add your own card").click()
    page.locator("#own-claim").fill("You opened with a question.")
    sign_out_meanwhile(page)
    page.locator("[data-verdict=accept]").first.click()
    notice = page.locator(".signed-out")
    expect(notice).to_contain_text("You were signed out in the meantime")
    expect(page.locator("#items input[name=password]")).to_have_count(0)
    expect(page.locator("[data-trouble]")).to_be_hidden()
    assert not Verdict.objects.exists()

    with page.context.expect_page() as opened:
        notice.get_by_role("link").click()
    sign_in_here(opened.value, coach)
    # A button was pressed and nothing typed there: nothing waits to be sent but the desk itself.
    expect(opened.value.get_by_role("heading", name="Send your saved text")).to_have_count(0)
    expect(opened.value.locator("#items")).to_be_visible()
    opened.value.close()

    # Back here the notice goes, and whoever was writing goes on where they were.
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(notice).to_have_count(0)
    expect(page.locator("#own-claim")).to_have_value("You opened with a question.")
    page.locator("[data-verdict=accept]").first.click()
    expect(page.locator("#items .decided").first).to_contain_text("Accepted.")
    expect(notice).to_have_count(0)
    page.locator("#own-clips-new").fill("0:04-0:06")
    page.get_by_role("button", name="Add the card").click()
    expect(page.locator("#items").get_by_text("You opened with a question.")).to_be_visible()
    assert Item.objects.filter(author=coach).count() == 1


def test_the_editor_keeps_every_field_and_checks_on_once_signed_in_again(
    arrive: Arrive, curator: User
) -> None:
    page = arrive(curator, reverse("curation:edit", args=["PAU002"]))
    page.get_by_label("Why you change it").fill("A reason that took a while to write.")
    sign_out_meanwhile(page)
    page.get_by_label("Why you change it").press_sequentially(" And more.")
    expect(page.locator(".signed-out")).to_be_visible()
    expect(page.locator("#checked input[name=password]")).to_have_count(0)
    expect(page.get_by_label("Why you change it")).to_have_value(
        "A reason that took a while to write. And more."
    )


def test_a_guest_whose_link_was_ended_meanwhile_is_told_and_keeps_the_words(
    live_server: LiveServer, page: Page, playable_take: Rehearsal
) -> None:
    """The press did nothing at all, and nothing said so."""
    link, token = make_link(
        rehearsal=playable_take,
        maker=playable_take.owner,
        meant_for="Paul",
        days=7,
        shows_findings=False,
    )
    page.goto(live_server.url + reverse("guests:door", args=[token]))
    page.locator("input[name=name]").fill("Paul")
    page.locator("input[name=name]").press("Enter")
    text = page.locator("[data-note-text]")
    page.locator("#note-start").fill("0:03")
    text.fill("A good pause.")
    page.wait_for_load_state()  # Without its scripts the page is sent as it is.
    end_link(link=link, actor=playable_take.owner)
    page.get_by_role("button", name="Send comment").click()
    expect(page.get_by_role("alert")).to_contain_text("We could not send this.")
    expect(text).to_have_value("A good pause.")
