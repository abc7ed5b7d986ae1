"""What is typed at the desk while an act is stored: nothing is lost, doubled or put elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.desks import IDS, Desk

Release = Callable[[], None]


def hold_back_the_answer_to_a_note(desk: Desk, words: str) -> Release:
    desk.page.locator("#note-text").click()
    desk.page.keyboard.type(words)
    return hold_back_the_answer(desk, "Enter", "**/notes/add/")


@pytest.fixture(autouse=True)
def _what_the_page_asks_by_itself(desk: Desk) -> None:
    for address in ("**/word-on-all/", "**/renew/"):
        desk.page.route(address, lambda route: route.fulfill(status=204))


def item(desk: Desk, number: int) -> Locator:
    return desk.page.locator(f"[data-item='{IDS[number]}']")


def hold_back_the_answer(desk: Desk, key: str, to: str = "**/verdict/*") -> Release:
    """Press a key whose act the site answers only when it is told to."""
    return held_back(desk, lambda: desk.page.keyboard.press(key), to).fallback


def held_back(desk: Desk, begin: Callable[[], None], to: str) -> Route:
    """What the page asks then; the site is silent."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    desk.page.route(to, hold, times=1)
    with desk.page.expect_request(to):
        begin()
    while not held:  # the browser tells of a request before it asks what is to become of it
        desk.page.wait_for_timeout(10)
    return held[0]


def test_what_is_typed_and_put_right_meanwhile_arrives_as_it_was_typed(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    page.locator("#note-text").fill("you breathe")
    keys.press("Control+a")
    keys.press("Control+x")
    keys.press("Escape")
    answer = hold_back_the_answer(desk, "a")
    keys.press("w")
    keys.type("Thanx")
    keys.press("Backspace")
    keys.type("ksq")
    keys.press("ArrowLeft")
    keys.press("Delete")
    keys.press("Enter")
    keys.type("Ana, ")
    keys.press("Control+v")
    answer()
    expect(page.locator("#word-text")).to_be_focused()
    expect(page.locator("#word-text")).to_have_value("Thanks\nAna, you breathe")


def test_enter_in_a_field_of_one_line_sends_its_form_meanwhile_too(desk: Desk) -> None:
    keys = desk.page.keyboard
    answer = hold_back_the_answer(desk, "a")
    keys.press("x")
    keys.press("2")
    keys.press("Enter")
    answer()
    expect(item(desk, 1)).to_have_attribute("data-decision", "rejected")


def test_who_went_into_a_field_meanwhile_goes_on_there(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    answer = hold_back_the_answer(desk, "a")
    keys.press("a")
    page.locator("#word-text").click()
    keys.type("Thank")
    answer()
    expect(page.locator("[data-decision=accepted]")).to_have_count(2)
    keys.type(" you")
    expect(page.locator("#word-text")).to_have_value("Thank you")
    assert len(desk.posted) == 2


def test_who_changes_another_item_meanwhile_goes_on_there(desk: Desk) -> None:
    keys = desk.page.keyboard
    answer = hold_back_the_answer(desk, "a")
    item(desk, 2).locator(".card__head").click()
    item(desk, 2).locator("[data-form=edit] > summary").click()
    field = item(desk, 2).locator("[data-form=edit] textarea").first
    field.click()
    keys.press("End")
    keys.type(", th")
    answer()
    expect(item(desk, 0)).to_have_attribute("data-decision", "accepted")
    keys.type("at is")
    expect(field).to_have_value("Claim 2, that is")
    assert len(desk.posted) == 1


def test_a_word_begun_before_the_site_failed_is_not_lost(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    desk.problem = "Ben is working on this take, so nothing was changed."
    answer = hold_back_the_answer(desk, "a")
    keys.press("a")
    keys.press("w")
    keys.type("A good start")
    answer()
    expect(page.locator("#word-text")).to_have_value("A good start")
    assert len(desk.posted) == 1


def test_what_goes_out_is_asked_for_once_all_that_was_typed_is_with_the_site(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rstrip("/").rsplit("/", 1)[-1]))
    body = '<div class="summary"><button data-last>Release the feedback</button></div>'
    page.route("**/summary/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.locator("#note-text").click()
    keys.type("Begun")
    keys.press("Escape")
    keys.press("w")
    keys.type("Well done.")
    keys.press("Escape")
    answer = hold_back_the_answer(desk, "s", "**/word-on-all/")
    expect(page.locator("#summary")).to_be_visible()
    assert "begun" in asked
    assert "summary" not in asked
    answer()
    expect(page.get_by_role("button", name="Release the feedback")).to_be_focused()
    assert asked.index("word-on-all") < asked.index("summary")


def test_what_goes_out_waits_for_a_word_that_waits_behind_the_one_before(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rstrip("/").rsplit("/", 1)[-1]))
    page.route("**/summary/", lambda route: route.fulfill(status=204))
    keys.press("w")
    keys.type("Well")
    first = hold_back_the_answer(desk, "Control+Enter", "**/word-on-all/")
    keys.press("w")
    keys.type(" done.")
    keys.press("Escape")
    keys.press("s")
    second = held_back(desk, first, "**/word-on-all/")
    assert "summary" not in asked
    with page.expect_request("**/summary/"):
        second.fallback()


def test_a_button_clicked_meanwhile_has_its_turn_and_the_keys_go_on(desk: Desk) -> None:
    answer = hold_back_the_answer(desk, "a")
    item(desk, 1).locator(".card__head").click()
    item(desk, 1).locator("[data-verdict=accept]").click()
    answer()
    expect(item(desk, 1)).to_have_attribute("data-decision", "accepted")
    desk.page.keyboard.press("a")
    expect(desk.page.locator("[data-decision=accepted]")).to_have_count(3)
    assert len(desk.posted) == 3


def test_an_act_whose_form_went_meanwhile_holds_no_key_back_for_ever(desk: Desk) -> None:
    keys = desk.page.keyboard
    act = held_back(desk, lambda: keys.press("a"), "**/verdict/*")
    # As where an answer to something else brings the list along.
    desk.page.locator("[data-verdict=accept]").first.evaluate("(button) => button.form.remove()")
    with desk.page.expect_response("**/verdict/*"):
        act.fulfill(status=204)
    keys.press("ArrowDown")
    keys.press("a")
    expect(item(desk, 1)).to_have_attribute("data-decision", "accepted")


def test_a_word_that_did_not_reach_the_site_is_sent_again_before_what_goes_out(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    page.route("**/summary/", lambda route: route.fulfill(status=204))
    keys.press("w")
    keys.type("Well done.")
    with page.expect_response("**/word-on-all/"):
        keys.press("Control+Enter")
    # As htmx tells it of a line that broke.
    broke = "new CustomEvent('htmx:afterRequest', { bubbles: true, detail: { successful: false } })"
    page.locator("#word").evaluate(f"(form) => form.dispatchEvent({broke})")
    with page.expect_request("**/word-on-all/") as again:
        keys.press("s")
    assert "Well%20done." in (again.value.post_data or "")


def test_what_is_typed_after_a_note_was_sent_is_the_next_note_alone(desk: Desk) -> None:
    page, keys = desk.page, desk.page.keyboard
    answer = hold_back_the_answer_to_a_note(desk, "First")
    keys.type(" Second")
    answer()
    expect(page.locator("#note-text")).to_have_value("Second")
    expect(page.locator("#note-text")).to_be_focused()
    keys.type(", too")
    keys.press("Enter")
    expect(page.locator("#note-text")).to_have_value("")
    answer = hold_back_the_answer_to_a_note(desk, "Third")
    keys.type("Fourth")
    keys.press("Enter")
    answer()
    expect(page.locator("#note-text")).to_have_value("")
    notes = ["First", "Second, too", "Third", "Fourth"]
    assert [each["text"] for each in desk.posted] == notes
