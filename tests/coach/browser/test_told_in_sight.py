"""What the desk answers to an act is read where its coach is, however far they have scrolled."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from coach.accounts.models import User
from coach.feedback.models import Verdict
from coach.rehearsals.models import Rehearsal
from tests.coach.browser.conftest import Arrive
from tests.coach.cast import one_more

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(arrive: Arrive, coach: User, sent_take: Rehearsal) -> Page:
    """Bea's desk with eight more items, so that the first and the last are never seen together."""
    draft = sent_take.feedback.get()
    for extra in range(8):
        one_more(draft, extra, is_chosen=extra < 2)
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    return page


def to_the_last(page: Page) -> None:
    for _each in range(page.locator("#items [data-item]").count()):
        page.keyboard.press("ArrowDown")


def test_a_moment_outside_of_the_talk_is_said_beside_the_form_and_typing_goes_on_there(
    desk: Page,
) -> None:
    desk.keyboard.press("n")
    form = desk.locator("[data-own] form")
    form.locator("[name=claim]").fill("You named the result first.")
    moments = form.locator("[name=clips]")
    moments.fill("5:00")
    moments.press("Control+Enter")
    expect(form.get_by_text("Choose a moment inside the recording")).to_be_in_viewport(ratio=0.9)
    expect(form.get_by_role("button", name="Add the card")).to_be_in_viewport(ratio=0.9)
    expect(moments).to_be_focused()
    desk.keyboard.type("ax")
    assert not Verdict.objects.exists()
    moments.fill("0:05")
    moments.press("Control+Enter")
    expect(desk.locator("#items")).to_contain_text("You named the result first.")
    expect(desk.get_by_text("Choose a moment inside the recording")).to_have_count(0)


def test_a_changed_wording_that_is_refused_says_so_in_its_form(desk: Page) -> None:
    to_the_last(desk)
    desk.keyboard.press("e")
    form = desk.locator("[data-current] [data-form=edit]")
    form.locator("[name=clips]").fill("5:00")
    form.locator("[name=clips]").press("Control+Enter")
    expect(form.get_by_text("Choose a moment inside the recording")).to_be_in_viewport(ratio=0.9)
    expect(form.locator("[name=clips]")).to_be_focused()
    expect(form.locator("[name=clips]")).to_have_value("5:00")


def test_which_item_a_fourth_one_holds_back_is_seen_at_the_end_of_the_list_too(desk: Page) -> None:
    to_the_last(desk)
    desk.keyboard.press("a")
    words = desk.locator("[data-told]").get_by_text(
        "The trainee gets at most three cards, so this one"
    )
    expect(words).to_be_in_viewport(ratio=0.9)


def test_what_was_taken_back_is_seen_at_the_end_of_the_list_too(desk: Page) -> None:
    desk.keyboard.press("a")
    expect(desk.locator("[data-decision=accepted]")).to_have_count(1)
    to_the_last(desk)
    desk.keyboard.press("u")
    expect(desk.locator("[data-told]", has_text="Undone:")).to_be_in_viewport(ratio=0.9)
