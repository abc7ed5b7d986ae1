"""The review desk on its real template: single keys decide, and nothing is lost or moves."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Locator, expect

from coach.feedback.pages.not_shown import NotShown
from coach.review.desk.facts import FactsPage, FactToPick
from tests.browser.desks import IDS, Desk


def item(desk: Desk, number: int) -> Locator:
    return desk.page.locator(f"[data-item='{IDS[number]}']")


def test_a_accepts_and_the_next_item_has_its_turn(desk: Desk) -> None:
    desk.page.keyboard.press("a")
    expect(item(desk, 0)).to_have_attribute("data-decision", "accepted")
    expect(item(desk, 1)).to_be_focused()
    expect(desk.page.locator("[data-fold][open]")).to_have_count(1)
    expect(desk.page.locator("#release")).to_contain_text("2 to decide.")


def test_u_takes_the_last_act_back(desk: Desk) -> None:
    desk.page.keyboard.press("a")
    expect(item(desk, 0)).to_have_attribute("data-decision", "accepted")
    desk.page.keyboard.press("u")
    expect(item(desk, 0)).to_have_attribute("data-decision", "open")


def test_what_is_typed_is_kept_on_the_server_before_it_is_sent(desk: Desk) -> None:
    with desk.page.expect_response("**/begun/"):
        desk.page.keyboard.press("e")
        desk.page.keyboard.type(" half a sentence")
    assert desk.kept[-1]["form"] == f"edit:{IDS[0]}"
    assert "half a sentence" in desk.kept[-1]["fields"]


def test_e_changes_the_wording_and_typing_decides_nothing(desk: Desk) -> None:
    desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("e")
    desk.page.keyboard.type(", a u x")
    assert desk.posted == []
    desk.current().get_by_role("button", name="Save this wording").click()
    expect(item(desk, 2)).to_have_attribute("data-decision", "edited")
    assert desk.posted[0]["wording"] == "Claim 2, a u x"


def test_e_changes_what_was_accepted_and_typing_decides_nothing(desk: Desk) -> None:
    desk.page.keyboard.press("a")
    expect(item(desk, 0)).to_have_attribute("data-decision", "accepted")
    desk.page.keyboard.press("ArrowUp")
    desk.page.keyboard.press("e")
    expect(item(desk, 0).locator("textarea").first).to_be_focused()
    desk.page.keyboard.type(", a u x s")
    assert [each["action"] for each in desk.posted] == ["accept"]
    desk.page.keyboard.press("Control+Enter")
    expect(item(desk, 0)).to_have_attribute("data-decision", "edited")
    assert desk.posted[1]["wording"] == "Claim 0, a u x s"
    expect(item(desk, 0).locator("[data-form=edit]")).not_to_have_attribute("open", "")


def test_e_on_what_was_rejected_says_how_to_go_on(desk: Desk) -> None:
    desk.page.keyboard.press("x")
    desk.page.keyboard.press("2")
    desk.current().get_by_role("button", name="Reject the card").click()
    expect(item(desk, 0)).to_have_attribute("data-decision", "rejected")
    said = item(desk, 0).get_by_text("To change this decision, undo it first.")
    expect(said).to_be_hidden()
    desk.page.keyboard.press("ArrowUp")
    desk.page.keyboard.press("e")
    expect(said).to_be_visible()
    assert len(desk.posted) == 1
    assert desk.posted[0]["action"] == "reject"


def test_x_rejects_with_a_reason_and_escape_closes(desk: Desk) -> None:
    desk.page.keyboard.press("x")
    form = desk.current().locator("[data-form=reject]")
    expect(form).to_have_attribute("open", "")
    desk.page.keyboard.press("Escape")
    expect(form).not_to_have_attribute("open", "")
    desk.page.keyboard.press("x")
    expect(form.locator("input:checked")).to_have_count(0)
    desk.current().get_by_role("button", name="Reject the card").click()
    assert desk.posted == []
    desk.page.keyboard.press("2")
    desk.current().get_by_role("button", name="Reject the card").click()
    expect(item(desk, 0)).to_have_attribute("data-decision", "rejected")
    assert desk.posted[0]["reason"] == "tone"


def test_a_number_means_nothing_where_no_reason_is_asked_for(desk: Desk) -> None:
    desk.page.keyboard.press("1")
    expect(desk.page.locator("input[name=reason]:checked")).to_have_count(0)


def test_control_and_enter_saves_what_is_being_written(desk: Desk) -> None:
    desk.page.keyboard.press("e")
    desk.page.keyboard.type(" twice")
    desk.page.keyboard.press("Control+Enter")
    expect(item(desk, 0)).to_have_attribute("data-decision", "edited")
    assert desk.posted[0]["wording"] == "Claim 0 twice"
    desk.page.get_by_text("Add your own card").last.click()
    desk.page.locator("#own-clips-new").fill("0:03")
    desk.page.locator("#own-claim").fill("You named the number twice.")
    desk.page.keyboard.press("Control+Enter")
    expect(desk.page.locator("#own-claim")).to_have_value("")
    assert desk.posted[1]["clips"] == "0:03"


def test_s_opens_what_goes_out_with_the_last_button_in_focus(desk: Desk) -> None:
    page = desk.page
    body = "<h2 tabindex=-1>Out</h2><button data-last>Release the feedback</button>"
    page.route("**/summary/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Release the feedback")).to_be_focused()
    page.keyboard.press("a")  # behind an open panel nothing is decided
    page.keyboard.press("e")
    assert desk.posted == []
    expect(page.locator("[data-form][open]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#summary")).to_be_hidden()


def test_what_does_not_come_leaves_no_panel_empty_or_as_it_was(desk: Desk) -> None:
    page = desk.page
    page.route("**/summary/", lambda route: route.fulfill(body="<button>Release</button>"))
    page.keyboard.press("s")
    expect(page.locator("#summary")).to_contain_text("Release")
    page.keyboard.press("Escape")
    page.route("**/summary/", lambda route: route.fulfill(status=204))
    with page.expect_response("**/summary/"):
        page.keyboard.press("s")
    expect(page.locator("#summary")).to_be_hidden()
    expect(page.locator("#summary [data-fill]")).to_be_empty()


def test_one_item_is_open_at_a_time_and_a_folded_one_keeps_its_moments(desk: Desk) -> None:
    opened = desk.page.locator("[data-fold][open]")
    expect(opened).to_have_count(1)
    desk.page.locator("[data-item]").nth(1).locator("h3").click()
    expect(opened).to_have_count(1)
    expect(desk.current()).to_have_attribute("data-item", IDS[1])
    for item in desk.page.locator("[data-item]").all():
        expect(item.locator("[data-clip]").filter(visible=True).first).to_be_visible()
        expect(item.locator(".card__figure").first).to_be_visible()


def test_a_question_mark_lists_every_key(desk: Desk) -> None:
    rows = desk.page.locator("[data-shortcut]")
    expect(rows.first).to_be_hidden()
    desk.page.keyboard.press("?")
    expect(rows.first).to_be_visible()
    expect(desk.page.locator("#keys")).to_contain_text("accept")
    desk.page.keyboard.press("Escape")
    expect(rows.first).to_be_hidden()


def test_a_half_written_change_outlives_a_verdict_on_another_item(desk: Desk) -> None:
    desk.page.keyboard.press("e")
    desk.page.keyboard.type(" and more")
    desk.page.locator("[data-item]").nth(1).locator("h3").click()
    desk.page.locator("[data-item]").nth(1).locator("[data-verdict=accept]").click()
    expect(desk.page.locator("[data-item]").nth(1)).to_have_attribute("data-decision", "accepted")
    wording = desk.page.locator("[data-item]").first.locator("textarea[name=wording]")
    expect(wording).to_have_value("Claim 0 and more")


def test_an_item_of_ones_own_takes_the_current_time(desk: Desk) -> None:
    desk.page.get_by_text("Add your own card").last.click()
    desk.page.evaluate("document.querySelector('#player').currentTime = 12.4")
    desk.page.locator("[data-take-time=own-clips-new]").click()
    desk.page.locator("#own-claim").fill("You named the number twice.")
    desk.page.get_by_role("button", name="Add the card").click()
    expect(desk.page.locator("#own-claim")).to_have_value("")
    assert desk.posted[0]["clips"] == "0:12"


def test_a_refused_item_of_ones_own_keeps_what_was_typed(desk: Desk) -> None:
    desk.problem = "Say what you observed."
    desk.page.get_by_text("Add your own card").last.click()
    desk.page.locator("#own-clips-new").fill("0:03")
    desk.page.locator("#own-claim").fill("You named the number twice.")
    desk.page.get_by_role("button", name="Add the card").click()
    expect(desk.page.locator("[data-problem]")).to_have_text("Say what you observed.")
    expect(desk.page.locator("#own-claim")).to_have_value("You named the number twice.")


@pytest.mark.parametrize("key", ["Escape", "Control+Enter"])
def test_a_word_to_the_trainee_is_left_on_a_desk_without_any_item(key: str, desk: Desk) -> None:
    page = desk.page
    page.route("**/word-on-all/", lambda route: route.fulfill(status=204))
    page.evaluate("document.getElementById('items').replaceChildren()")
    page.keyboard.press("w")
    page.keyboard.type("Thank you.")
    page.keyboard.press(key)
    page.keyboard.press("n")  # a key again, and no letter in what the trainee will read
    expect(page.locator("#word-text")).to_have_value("Thank you.")
    expect(page.locator("#own-claim")).to_be_focused()


def test_what_is_typed_after_a_reason_is_no_command(desk: Desk) -> None:
    """The "a" of a reason accepted the item that was being rejected."""
    keys = desk.page.keyboard
    keys.press("x")
    keys.press("2")
    keys.type("a very short example, u and e")
    expect(desk.current().get_by_label("In your words")).to_have_value(
        "a very short example, u and e"
    )
    assert desk.posted == []
    keys.press("Control+Enter")
    expect(item(desk, 0)).to_have_attribute("data-decision", "rejected")
    assert [each["action"] for each in desk.posted] == ["reject"]
    assert desk.posted[0]["note"] == "a very short example, u and e"


def test_letters_decide_nothing_while_a_form_of_the_item_is_open(desk: Desk) -> None:
    """Wherever in it one is: at a choice, at its button, or at the item after a press beside it."""
    keys = desk.page.keyboard
    keys.press("r")
    keys.press("Escape")
    for key, place in (("x", "input[name=reason]"), ("r", "button[type=submit]")):
        keys.press(key)
        form = desk.current().locator("[data-form][open]")
        form.locator(place).first.focus()
        for letter in "aehu":
            keys.press(letter)
        desk.current().focus()
        for letter in "ah":
            keys.press(letter)
        assert desk.posted == []
        expect(form.locator("textarea, input:not([type=hidden])").first).to_be_focused()
        keys.press("Escape")
        expect(desk.page.locator("[data-form][open]")).to_have_count(0)
    keys.press("a")
    expect(item(desk, 0)).to_have_attribute("data-decision", "accepted")


def test_letters_at_a_list_of_the_own_item_decide_nothing(desk: Desk) -> None:
    desk.page.get_by_text("Add your own card").last.click()
    desk.page.get_by_role("button", name="Add the card").focus()
    for letter in "aehu":
        desk.page.keyboard.press(letter)
    assert desk.posted == []
    expect(desk.page.locator("[data-form][open]")).to_have_count(0)


def test_u_goes_to_the_item_that_it_took_back(desk: Desk) -> None:
    """E, pressed next, changed another card than the one that the words were about."""
    keys = desk.page.keyboard
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("a")
    expect(item(desk, 2)).to_have_attribute("data-decision", "accepted")
    expect(item(desk, 0)).to_be_focused()
    keys.press("u")
    expect(item(desk, 2)).to_have_attribute("data-decision", "open")
    expect(item(desk, 2)).to_be_focused()
    expect(item(desk, 2)).to_contain_text("Taken back: the decision.")
    keys.press("e")
    expect(item(desk, 2).locator("textarea").first).to_be_focused()


def test_a_number_makes_a_card_of_a_fact(desk: Desk) -> None:
    fact = FactToPick(
        code="ums",
        label="Ums",
        value="9",
        clips=(),
        why="",
        claim="You said um.",
        typed="0:01-0:02",
        quality="pauses",
    )
    facts = FactsPage(
        rehearsal_id=IDS[0],
        title="A talk",
        facts=(fact,),
        left_out=NotShown(),
        measures=(),
        can_pick=True,
    )
    body = render_to_string("review/_facts.html", {"page": facts})
    page = desk.page
    page.route("**/facts/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.keyboard.press("p")
    expect(page.locator("#facts [data-fact]")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator("#own-claim")).to_have_value("You said um.")
    expect(page.locator("#own-claim")).to_be_focused()
    expect(page.locator("#own-clips-new")).to_have_value("0:01-0:02")
