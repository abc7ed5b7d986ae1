"""What a browser alone can do: time a coach's attention, and mark moments while judging blindly."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import count
from types import SimpleNamespace

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Item
from coach.rehearsals.models import Rehearsal
from coach.review.models import ItemTime, Review
from coach.review.rubric.models import Occasion
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.second.models import Decision
from coach.review.second.services import take_second
from coach.review.services import enqueue_sent
from coach.review.team import item_times
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import until
from tests.coach.factories import UserFactory, join
from tests.coach.review.rubric.judging import levels

ACCEPTING_SECONDS = 4


def stand_at(page: Page, seconds: float) -> None:
    page.evaluate(
        "seconds => { document.querySelector('[data-player]').currentTime = seconds }", seconds
    )
    expect(page.locator("[data-player]")).to_have_js_property("currentTime", seconds)


@pytest.fixture
def desk(
    page: Page,
    arrive: Arrive,
    sent_take: Rehearsal,
    coach: User,
    monkeypatch: pytest.MonkeyPatch,
) -> Page:
    """Bea's; its clock is put forward by hand, and the site's by five minutes with each look."""
    looks = count(1)
    later = SimpleNamespace(now=lambda: timezone.now() + next(looks) * timedelta(minutes=5))
    monkeypatch.setattr(item_times, "timezone", later)
    page.clock.install()
    arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    return page


def items_of(page: Page) -> list[str]:
    listed: list[str] = page.locator("#items [data-item]").evaluate_all(
        "all => all.map((item) => item.dataset.item)"
    )
    return listed


def stay(page: Page, seconds: int) -> None:
    """So long, with a sign of its coach now and then."""
    for each in range(seconds // 4):
        page.mouse.move(300 + each % 2, 10)
        page.clock.run_for(4_000)


def turn_to_the_first(page: Page) -> str:
    """By key; returns which item that is."""
    page.keyboard.press("ArrowUp")
    expect(page.locator("#items [data-item]").first).to_be_focused()
    return items_of(page)[0]


def told(page: Page) -> dict[str, float]:
    """What the site holds, once it was told: a beacon has no answer that could be waited for."""
    until(page, ItemTime.objects.exists)
    return {str(row.item_id): row.seconds for row in ItemTime.objects.all()}


def accept(page: Page) -> None:
    with page.expect_response(lambda answer: "/items/" in answer.url):
        page.keyboard.press("a")


def play_the_talk(page: Page) -> None:
    """Over and over: it runs by the real clock, and must not end on a busy machine."""
    page.evaluate(
        "{ const own = document.querySelector('[data-player]'); own.loop = true; own.play() }"
    )
    expect(page.locator("[data-player]")).to_have_js_property("paused", False)


def test_the_first_item_is_open_but_not_timed_before_its_coach_turns_to_it(desk: Page) -> None:
    play_the_talk(desk)
    stay(desk, 60)
    accept(desk)
    # The key that accepts is a turn to the item: what it takes on a busy machine may count.
    assert sum(row.seconds for row in ItemTime.objects.all()) < ACCEPTING_SECONDS


def test_an_item_is_timed_from_then_until_its_coach_turns_to_something_else(desk: Page) -> None:
    item = turn_to_the_first(desk)
    stay(desk, 20)
    desk.locator("[data-transcript] [data-s]").first.click()
    stay(desk, 40)
    with desk.expect_response(lambda answer: "/items/" in answer.url):
        desk.locator('#items [data-verdict="accept"]').first.click()
    assert told(desk) == {item: pytest.approx(20, abs=4)}


def test_the_talk_as_a_whole_is_no_items_and_its_own_moment_is(desk: Page) -> None:
    item = turn_to_the_first(desk)
    stay(desk, 8)
    play_the_talk(desk)
    stay(desk, 40)
    desk.locator("#items [data-item] [data-clip]").filter(visible=True).first.click()
    stay(desk, 12)
    accept(desk)
    assert told(desk) == {item: pytest.approx(20, abs=5)}


def test_a_report_whose_answer_failed_counts_once(desk: Page) -> None:
    item = turn_to_the_first(desk)

    def fail(route: Route) -> None:
        route.fetch()
        route.fulfill(status=500, body="")

    desk.route("**/renew/", fail)
    with desk.expect_response(lambda answer: answer.status == 500):
        stay(desk, 32)  # the heartbeat, each half minute
    assert told(desk) == {item: pytest.approx(30, abs=4)}
    desk.unroute("**/renew/")
    stay(desk, 12)
    accept(desk)
    assert told(desk) == {item: pytest.approx(44, abs=5)}


def test_a_report_that_never_arrived_is_sent_once_more(desk: Page) -> None:
    item = turn_to_the_first(desk)
    desk.route("**/renew/", lambda route: route.abort())
    with desk.expect_event("requestfailed"):
        stay(desk, 32)
    assert not ItemTime.objects.exists()
    desk.unroute("**/renew/")
    stay(desk, 8)
    accept(desk)
    assert told(desk) == {item: pytest.approx(40, abs=5)}


def test_a_form_that_leads_elsewhere_loses_nothing(desk: Page) -> None:
    """Its page does not count: a beacon does, before it is left."""
    item = turn_to_the_first(desk)
    stay(desk, 20)
    desk.evaluate(
        'document.querySelector(\'form[action*="/language"], form[action*="/i18n"]\')'
        ".requestSubmit()"
    )
    assert told(desk) == {item: pytest.approx(20, abs=4)}


def test_a_form_that_ends_the_claim_brings_the_time_along(desk: Page) -> None:
    item = turn_to_the_first(desk)
    stay(desk, 20)
    desk.locator("form[data-counts-times] button[type=submit]").first.click()
    desk.wait_for_url(f"**{reverse('review:queue')}")
    assert Review.objects.get().coach is None
    assert told(desk) == {item: pytest.approx(20, abs=4)}


def test_leaving_the_page_tells_by_a_beacon(desk: Page) -> None:
    item = turn_to_the_first(desk)
    stay(desk, 20)
    desk.goto("about:blank")
    assert told(desk) == {item: pytest.approx(20, abs=4)}


def test_items_are_judged_and_moments_marked_taken_back_and_kept_by_keys_alone(
    arrive: Arrive, sent_take: Rehearsal, cohort: Cohort
) -> None:
    dora = UserFactory(name="Dora", roles=[Role.COACH])
    join(cohort, dora, Role.COACH)
    enqueue_sent()
    Review.objects.update(wants_second=True)
    take_second(rehearsal=sent_take, coach=dora)
    second = {"rehearsal": sent_take, "coach": dora, "occasion": Occasion.SECOND}
    save_rating(**second, levels=levels(), priorities=[])
    finish_rating(**second)
    item = Item.objects.get(feedback__rehearsal=sent_take, is_chosen=True)
    page = arrive(dora, reverse("review:opinion", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    field = page.locator(f"#clips-{item.pk}")
    card = page.locator(f'[data-item="{item.pk}"]')
    expect(card).to_have_attribute("aria-current", "true")
    stand_at(page, 5)
    page.keyboard.press("[")
    expect(card.locator('[value="keep"]')).to_be_checked()
    page.keyboard.press("u")  # by mistake: the choice goes with the mark
    expect(card.locator('[value="keep"]')).not_to_be_checked()
    expect(field).to_have_value("")
    stand_at(page, 12)
    page.keyboard.press("[")
    stand_at(page, 18)
    page.keyboard.press("]")
    expect(field).to_have_value("0:12-0:18")
    page.keyboard.press("u")
    expect(field).to_have_value("0:12")
    stand_at(page, 20)
    with page.expect_response(lambda answer: "/opinion/items/" in answer.url):
        page.keyboard.press("]")
    expect(field).to_have_value("0:12-0:20")
    decision = Decision.objects.get(item=item)
    assert (decision.kind, decision.own_moments) == (Decision.Kind.KEEP, ((12.0, 20.0),))
    with page.expect_response(lambda answer: "/opinion/items/" in answer.url):
        field.fill("soon")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator(f"#clips-problem-{item.pk}")).to_be_visible()
    with page.expect_response(lambda answer: "/opinion/items/" in answer.url):
        field.fill("0:12.2-0:12.8")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(f"#clips-problem-{item.pk}")).to_be_hidden()
    assert Decision.objects.get(item=item).own_moments == ((12.2, 12.8),)
    state = page.locator("#decided-state")
    page.locator('[value="reject"]').first.check()
    expect(field).to_be_hidden()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")

    def is_told_why_nothing_is_marked() -> bool:
        """An answer that was on its way may say in the same place that it is saved."""
        page.keyboard.press("[")
        return "reject this card" in state.inner_text()

    until(page, is_told_why_nothing_is_marked)
    page.keyboard.press("a")
    expect(card.locator('[value="keep"]')).to_be_checked()
    expect(page.locator("[name=hand_in]")).to_be_focused()
    page.keyboard.press("x")
    expect(card).to_be_focused()
    with page.expect_response(lambda answer: "reason_" in (answer.request.post_data or "")):
        page.keyboard.press("2")
    expect(page.locator("[name=hand_in]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("/opinion/"))
    decision = Decision.objects.get(item=item)
    assert (decision.kind, decision.reason) == (Decision.Kind.REJECT, "unimportant")
