"""What one types is back after a crash, goes with the form, and leaves nothing behind here."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from coach.accounts.models import Cohort, Role, User
from coach.drafts.models import FormDraft
from coach.rehearsals.models import Rehearsal
from coach.review.desk.drafts import count_drafts
from coach.review.models import Review
from coach.rulesets.services import publish_builtin_rules
from tests.coach.browser.conftest import Arrive
from tests.coach.factories import UserFactory, join

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HERE = "Object.keys(localStorage).filter((each) => each.startsWith('rostrum.unsent')).length"


def test_half_a_sentence_survives_a_crash_and_is_sent_once(
    arrive: Arrive, trainee: User, coach: User, playable_take: Rehearsal
) -> None:
    path = reverse("feedback:report", args=[playable_take.pk])
    page = arrive(trainee, path)
    note, away = page.locator("#send-note"), page.get_by_role("button", name="Discard text")
    fold = page.locator("details", has=note)

    fold.locator("summary").first.click()
    with page.expect_response(lambda answer: "/begun/" in answer.url and answer.status == 204):
        note.press_sequentially("Please look at")
    _let_go(page)
    page.evaluate("localStorage.clear()")  # as in another browser
    page.reload()
    expect(note).to_have_value("Please look at")
    expect(away).to_be_visible()

    page.context.set_offline(True)
    note.press_sequentially(" my opening")
    assert page.evaluate(HERE) == 1
    page.context.set_offline(False)
    page.reload()
    expect(note).to_have_value("Please look at my opening")

    with page.expect_navigation():
        note.locator("xpath=ancestor::form").get_by_role("button", name="Send").click()
    assert not FormDraft.objects.exists()
    _let_go(page)
    expect(away).to_have_count(0)


def _let_go(page: Page) -> None:
    """Wait until nothing of it is left on the device; the page's policy lets no string be run."""
    for _try in range(50):
        if not page.evaluate(HERE):
            return
        page.wait_for_timeout(100)
    raise AssertionError(page.evaluate(HERE))


def test_a_note_that_was_refused_and_then_sent_is_not_being_typed_any_more(
    arrive: Arrive, coach: User, cohort: Cohort, sent_take: Rehearsal
) -> None:
    """The page with the refused form stands where nothing can be opened, until it is drawn."""
    dan = UserFactory(name="Dan", roles=[Role.COACH])
    join(cohort, dan, Role.COACH)
    desk = reverse("review:desk", args=[sent_take.pk])
    page = arrive(coach, desk)
    note = page.locator("#hand-over-note")
    fold = page.locator("details", has=note)
    fold.locator("summary").click()
    page.locator("#colleague").select_option("Dan")
    note.evaluate("(field) => field.removeAttribute('maxlength')")
    with page.expect_response(lambda answer: "/begun/" in answer.url and answer.status == 204):
        note.fill("y" * 501)
    send = fold.get_by_role("button", name="Hand over the take")
    with page.expect_navigation() as refused:
        send.click()
    assert refused.value.status == 422
    page.wait_for_url(f"**{desk}")
    expect(note).to_have_value("y" * 501)

    with page.expect_response(lambda answer: "/begun/" in answer.url and answer.status == 204):
        note.fill("Her ending.")
    assert list(FormDraft.objects.values_list("page", "fields__0__1")) == [(desk, "Her ending.")]
    page.reload()
    expect(note).to_have_value("Her ending.")
    page.locator("#colleague").select_option("Dan")
    with page.expect_navigation():
        send.click()
    assert not FormDraft.objects.exists()
    assert Review.objects.get().meant_for == dan


def test_a_form_does_not_overtake_what_is_on_its_way_of_it(
    arrive: Arrive, trainee: User, coach: User, playable_take: Rehearsal
) -> None:
    """On a slow line it came back as unsent, after it had been sent."""
    page = arrive(trainee, reverse("feedback:report", args=[playable_take.pk]))
    note = page.locator("#send-note")
    page.locator("details", has=note).locator("summary").first.click()
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    page.route("**/begun/", hold, times=1)
    with page.expect_request("**/begun/"):
        note.fill("Please look at my opening")
    form = note.locator("xpath=ancestor::form")
    form.get_by_role("button", name="Send").dblclick()
    assert form.get_attribute("data-sent") is None, "it has gone"
    with page.expect_navigation():
        slow[0].continue_()
    assert playable_take.grants.get().note == "Please look at my opening"
    assert not FormDraft.objects.exists()


def test_a_wording_that_is_kept_meanwhile_is_not_unsent_on_the_desk(
    arrive: Arrive, coach: User, sent_take: Rehearsal
) -> None:
    page = arrive(coach, reverse("review:desk", args=[sent_take.pk]))
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    page.route("**/begun/", hold, times=1)
    page.keyboard.press("e")
    wording = page.locator("[data-current] textarea[name=wording]")
    with page.expect_request("**/begun/"):
        wording.fill("You paused after each number.")
    wording.press("Control+Enter")
    expect(page.locator("[data-decision=edited]")).to_have_count(1)
    with page.expect_response(
        lambda answer: "/begun/" in answer.url and "%7B%7D" in (answer.request.post_data or "")
    ):
        slow[0].continue_()
    assert count_drafts(sent_take.feedback.get(), coach) == 0


def test_what_a_curator_types_is_kept_although_it_is_checked_meanwhile(arrive: Arrive) -> None:
    """Each check was taken for the form itself: nothing was kept anywhere."""
    publish_builtin_rules()
    dana = UserFactory(name="Dana", roles=[Role.CURATOR])
    page = arrive(dana, reverse("curation:edit", args=["PAU002"]))
    why = page.get_by_label("Why you change it")
    kept = page.expect_response(lambda answer: "/begun/" in answer.url and answer.status == 204)
    with page.expect_response("**/check/"), kept:
        why.fill("Coaches rejected it.")
    with page.expect_response("**/check/") as checked:
        why.press_sequentially(" Often")
    assert "draft=" not in (checked.value.request.post_data or "")  # its draft would be deleted
    page.evaluate("localStorage.clear()")  # as in another browser
    page.reload()
    expect(why).to_have_value(re.compile(r"Coaches rejected it\."))
