"""A whole review without the mouse: three minutes, three items, a note, a word, the release."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from coach.accounts.models import User
from coach.feedback.items import shown, standing_items
from coach.feedback.models import Feedback
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.services import send_to_coach
from tests.coach.browser.conftest import Arrive
from tests.coach.cast import one_more
from tests.coach.factories import finish_analysis, make_report
from tests.coach.review.leaving import let_it_leave

REWORDED = "You paused after each number."
NOTE = "This silence works: keep it."
WORD = "Your best opening so far. Take that calm along into the last minute."


@dataclass
class Hands:
    """Only keys, and how many of them."""

    page: Page
    acts: list[str] = field(default_factory=list)
    letters: int = 0

    def press(self, key: str) -> None:
        """One key that does something."""
        self.acts.append(key)
        self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        """A text, letter by letter."""
        self.letters += len(text)
        self.page.keyboard.type(text)


@pytest.fixture
def waiting(playable_take: Rehearsal) -> Rehearsal:
    """Three minutes, with one strength and two things to work on, sent to Bea."""
    playable_take.runs.all().delete()
    playable_take.duration = 180.0
    playable_take.save(update_fields=["duration"])
    finish_analysis(playable_take, make_report(duration=180.0))
    draft = playable_take.feedback.get()
    for extra in range(3 - draft.items.filter(is_chosen=True).count()):
        one_more(draft, extra)
    send_to_coach(rehearsal=playable_take, note="Please look at my opening.")
    return playable_take


@pytest.fixture
def hands(arrive: Arrive, coach: User, waiting: Rehearsal) -> Hands:
    """Bea before her queue."""
    page = arrive(coach, reverse("review:queue"))
    page.wait_for_load_state("networkidle")
    return Hands(page)


def test_a_talk_of_three_minutes_is_answered_without_the_mouse(
    hands: Hands,
    waiting: Rehearsal,
    trainee: User,
    arrive: Arrive,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = hands.page
    items = page.locator("#items [data-item]")
    hands.press("c")  # the most urgent take
    page.wait_for_url(f"**{reverse('review:desk', args=[waiting.pk])}")
    page.wait_for_load_state("networkidle")
    count = items.count()

    hands.press("a")  # the first as it is
    expect(items.nth(0)).to_have_attribute("data-decision", "accepted")
    # The focus has gone on to the next one: what became of the first is read out.
    expect(page.locator("#said")).to_have_text(re.compile(r"Accepted\. .* for the trainee"))
    hands.press("e")  # the second in other words
    hands.press("Control+a")
    hands.write(REWORDED)
    hands.press("Control+Enter")
    expect(page.locator("[data-decision=edited]")).to_have_count(1)
    hands.press("x")  # the third is right, but not important here
    hands.press("2")
    hands.press("Control+Enter")
    expect(page.locator("[data-decision=rejected]")).to_have_count(1)
    hands.press("u")  # on second thoughts: back, and accepted
    expect(page.locator("[data-decision=rejected]")).to_have_count(0)
    hands.press("a")
    expect(page.locator("[data-decision=open]:not([data-hidden])")).to_have_count(0)

    hands.press("m")  # a note at this moment
    hands.write(NOTE)
    hands.press("Enter")
    expect(page.locator("#notes .note")).to_have_count(1)
    expect(page.get_by_role("heading", name="Notes 1")).to_be_focused()
    hands.press("w")  # a word on the whole
    hands.write(WORD)
    hands.press("Control+Enter")
    expect(page.locator("#word-kept")).not_to_be_empty()

    hands.press("s")  # exactly what Ana will read
    summary = page.locator("#summary")
    for text in (REWORDED, NOTE, WORD):
        expect(summary).to_contain_text(text)
    expect(page.get_by_role("button", name="Release the feedback")).to_be_focused()
    hands.press("Enter")
    page.wait_for_url("**/review/")
    expect(page.get_by_role("button", name="Undo the release")).to_be_visible()

    feedback = Feedback.objects.get()
    assert feedback.is_leaving
    assert feedback.word == WORD
    assert len(shown(standing_items(feedback))) == 3
    let_it_leave()
    page.context.clear_cookies()
    arrive(trainee, reverse("feedback:report", args=[waiting.pk]))
    for text in (REWORDED, NOTE, WORD):
        expect(page.get_by_text(text).first).to_be_visible()
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(hands.acts)} keys and {hands.letters} letters for {count} items: "
            f"{' '.join(hands.acts)}\n"
        )
    assert len(hands.acts) <= 20


def test_keys_pressed_while_an_act_is_under_way_have_their_turn(
    hands: Hands, waiting: Rehearsal
) -> None:
    page = hands.page
    page.goto(f"{page.url.removesuffix('/review/')}{reverse('review:desk', args=[waiting.pk])}")
    page.wait_for_load_state("networkidle")
    under_way: list[Route] = []

    def hold(route: Route) -> None:
        under_way.append(route)

    page.route("**/items/**", hold, times=1)
    page.route("**/undo/", hold, times=1)
    with page.expect_request("**/items/**"):
        hands.press("a")

    # The second, before the site has said that the first is accepted; and no third one by it.
    for _repeated in range(4):
        page.keyboard.down("a")
    page.keyboard.up("a")
    hands.press("s")
    under_way[0].continue_()
    expect(page.locator("#summary").get_by_text("Confirmed by")).to_have_count(2)
    hands.press("Escape")

    with page.expect_request("**/undo/"):
        hands.press("u")
    hands.press("w")
    hands.write("Uhura axed her ums.")  # letters that would undo, accept, reject, hold and so on
    under_way[1].continue_()

    expect(page.locator("[data-word]")).to_have_value("Uhura axed her ums.")
    expect(page.locator("[data-word]")).to_be_focused()
    expect(page.locator("[data-decision=accepted]")).to_have_count(1)
    expect(page.locator("[data-decision=open]:not([data-hidden])")).to_have_count(2)
