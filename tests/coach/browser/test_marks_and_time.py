"""What a browser alone can do: time a coach's attention, and mark moments while judging blindly."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import Page, expect

from coach.accounts.models import Cohort, Role, User
from coach.feedback.models import Item
from coach.rehearsals.models import Rehearsal
from coach.review.models import ItemTime, Review
from coach.review.rubric.models import Occasion
from coach.review.rubric.services import finish_rating, save_rating
from coach.review.second.models import Decision
from coach.review.second.services import take_second
from coach.review.services import enqueue_sent
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import UserFactory, join
from tests.coach.review.rubric.judging import levels


def stand_at(page: Page, seconds: float) -> None:
    page.evaluate(
        "seconds => { document.querySelector('[data-player]').currentTime = seconds }", seconds
    )
    expect(page.locator("[data-player]")).to_have_js_property("currentTime", seconds)


def test_a_decision_brings_along_how_long_its_item_was_open(
    arrive: Arrive, sent_take: Rehearsal, coach: User
) -> None:
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    page.wait_for_load_state("networkidle")
    open_item = page.locator("#items [data-item][data-current]").get_attribute("data-item")
    page.mouse.move(200, 200)
    page.wait_for_timeout(2_500)
    page.keyboard.press("a")
    expect(page.locator("#items [data-item]").first).to_have_attribute("data-decision", "accepted")
    (row,) = ItemTime.objects.all()
    assert (str(row.item_id), row.coach) == (open_item, coach)
    assert row.seconds > 0


def test_moments_are_marked_taken_back_and_kept_by_keys_alone(
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
    with page.expect_response(lambda answer: "/opinion/items/" in answer.url):
        page.locator('[value="reject"]').first.check()
    expect(field).to_be_hidden()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("[")
    expect(page.locator("#decided-state")).to_contain_text("reject this one")
