"""A coach marks moments by dragging: on the timeline, across words, and with the keys."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from coach.accounts.models import User
from coach.feedback.items import standing
from coach.feedback.models import Item
from coach.rehearsals.models import Rehearsal
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import wait_until_playable

pytestmark = pytest.mark.django_db(transaction=True)


def drag(page: Page, place: Locator, from_share: float, to_share: float) -> None:
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    across = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * from_share, across)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * (from_share + to_share) / 2, across, steps=4)
    page.mouse.move(box["x"] + box["width"] * to_share, across, steps=4)
    page.mouse.up()


def test_several_moments_are_dragged_moved_by_keys_and_kept(
    arrive: Arrive, coach: User, sent_take: Rehearsal
) -> None:
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    wait_until_playable(page)
    words = page.locator("[data-transcript] [data-s]")
    # Words that are selected while no form is open: a note takes them.
    words.nth(3).select_text()
    expect(page.locator("[data-range-bar]")).to_be_visible()
    page.keyboard.press("m")
    expect(page.locator("#note-text")).to_be_focused()
    expect(page.locator("#note-end")).not_to_have_value("")
    page.keyboard.press("Escape")

    field = page.locator("#own-clips-new")
    page.keyboard.press("n")
    expect(page.locator("#own-claim")).to_be_focused()
    page.keyboard.type("Here you slowed down.")
    drag(page, page.locator(".lanes__cursor"), 0.2, 0.3)
    drag(page, page.locator(".lanes__cursor"), 0.6, 0.5)
    rows = page.locator("#own [data-ranges] > li")
    expect(rows).to_have_count(2)

    # Across words: the selection is offered to the form that is open.
    words.nth(0).select_text()
    page.locator("[data-range-to=form]").click()
    expect(rows).to_have_count(3)

    # The end of the first one, by keys: a second later.
    end = page.get_by_role("slider", name="End of moment 1")
    before = float(end.get_attribute("aria-valuenow") or 0)
    end.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(end).to_have_attribute("aria-valuenow", f"{before + 1:.1f}")
    expect(end).to_be_focused()
    page.get_by_role("button", name="Remove the moment").nth(2).click()
    expect(rows).to_have_count(2)
    typed = field.input_value()
    page.get_by_role("button", name="Add the card").click()
    expect(page.locator("#items").get_by_text("Here you slowed down.")).to_be_visible()
    item = Item.objects.get(origin=Item.Origin.COACH)
    clips = standing(item).card.clips
    assert len(clips) == 2
    assert typed.startswith("0:")
    assert clips[0].end - clips[0].start > 1
