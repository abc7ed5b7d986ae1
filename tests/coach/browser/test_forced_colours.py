"""The desk and the page of a second opinion where the colours are the reader's own.

Backgrounds, shadows and tints are gone there: what is chosen, current, or to be pressed shows all
the same, and so does the focus.
"""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page

from coach.accounts.models import Cohort, Role, User
from coach.rehearsals.models import Rehearsal
from coach.review.models import Review
from coach.review.rubric.models import Occasion
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.second.services import take_second
from coach.review.services import enqueue_sent
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import UserFactory, join
from tests.coach.review.rubric.judging import levels

pytestmark = pytest.mark.django_db(transaction=True)


def style(place: Locator, name: str, pseudo: str = "") -> str:
    """One property as the browser draws it."""
    read = "(node, [name, pseudo]) => getComputedStyle(node, pseudo || null)[name]"
    return str(place.evaluate(read, [name, pseudo]))


def colour(page: Page, name: str) -> str:
    """A system colour as this browser has it."""
    read = """name => {
      const node = document.body.appendChild(document.createElement('i'));
      node.style.cssText = `forced-color-adjust: none; color: ${name}`;
      const { color } = getComputedStyle(node);
      node.remove();
      return color;
    }"""
    return str(page.evaluate(read, name))


def is_ringed(place: Locator) -> bool:
    """Whether an outline tells it apart."""
    return style(place, "outlineStyle") == "solid" and style(place, "outlineWidth") != "0px"


def assert_marks_show(page: Page, card: Locator) -> None:
    """The sign to play on a moment has the colour of its words; the current card has a ring."""
    chip = card.locator(".chip").first
    drawn = style(chip, "backgroundColor", "::before")
    assert drawn == style(chip, "color") != style(chip, "backgroundColor")
    assert is_ringed(card)
    assert style(card, "outlineColor") == colour(page, "Highlight")


def assert_primary_shows(page: Page, button: Locator) -> None:
    assert style(button, "backgroundColor") == colour(page, "Highlight")
    assert style(button, "color") == colour(page, "HighlightText")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_desk_shows_what_is_current_chosen_and_focused(
    scheme: str, page: Page, arrive: Arrive, sent_take: Rehearsal, coach: User, axe: str
) -> None:
    page.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
    arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    card = page.locator("#items [data-item][data-current]")
    page.keyboard.press("Tab")
    assert_primary_shows(page, card.locator(".button--primary").first)
    focused = page.locator(":focus")
    assert style(focused, "outlineColor") == colour(page, "CanvasText")
    assert style(focused, "outlineWidth") == "3px"
    page.keyboard.press("e")
    opened = card.locator(".verdicts > details[open] > summary")
    assert_primary_shows(page, opened)
    page.mouse.click(5, 5)
    assert_marks_show(page, card)
    # Charts are drawn in the reader's colours too.
    assert style(page.locator(".lane rect").first, "fill") == colour(page, "Highlight")


@pytest.fixture
def second(cohort: Cohort, sent_take: Rehearsal) -> User:
    """Cy, who has the take for a second opinion."""
    cy = UserFactory(email="cy@example.org", name="Cy", roles=[Role.COACH])
    join(cohort, cy, Role.COACH)
    enqueue_sent()
    Review.objects.update(wants_second=True)
    take_second(rehearsal=sent_take, coach=cy)
    return cy


def test_a_second_opinion_shows_the_level_and_the_item_that_are_meant(
    page: Page, arrive: Arrive, sent_take: Rehearsal, second: User
) -> None:
    page.emulate_media(forced_colors="active")
    address = reverse("review:opinion", args=[sent_take.pk])
    arrive(second, address)
    quality = page.locator(".quality").first
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        quality.locator("input").nth(2).check()  # saved by the page, before all of them are
    assert is_ringed(quality.locator("label").nth(2))
    assert not is_ringed(quality.locator("label").nth(1))
    rated = {"rehearsal": sent_take, "coach": second, "occasion": Occasion.SECOND}
    save_rating(**rated, levels=levels(), priorities=[])  # type: ignore[arg-type]
    finish_rating(**rated)  # type: ignore[arg-type]
    arrive(second, address)
    assert_marks_show(page, page.locator("[data-judged] [data-item][data-current]"))
    assert_primary_shows(page, page.get_by_role("button", name="Submit my opinion"))
