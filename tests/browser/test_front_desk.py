"""The review desk on its real template: single keys decide, and nothing is lost or moves."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from django.contrib.messages import ERROR
from django.contrib.messages.storage.base import Message
from django.template.loader import render_to_string
from django.utils.translation import override
from playwright.sync_api import Locator, Page, Request, Route, expect

from coach.feedback.items import Decision
from coach.review.desk.corrections import CorrectionsPanel
from coach.review.desk.notes import NotesPanel
from coach.review.desk.values import DeskItem, DeskPage
from tests.browser.conftest import Serve
from tests.browser.front_samples import CARD, PAGE

IDS = [f"00000000-0000-4000-8000-00000000000{index}" for index in range(3)]


def _desk(decisions: dict[str, Decision]) -> DeskPage:
    items = tuple(
        DeskItem(
            card=replace(CARD, id=id_, claim=f"Claim {index}"),
            origin="rule",
            decision=decisions.get(id_, "open"),
            decision_words=decisions.get(id_, "open"),
            shown=decisions.get(id_) != "rejected",
            needs_coach=False,
            verdict_url=f"/verdict/{id_}",
            replace_url=f"/verdict/{id_}",
            tone="improvement",
            quality="pauses",
            clips="0:05-0:06",
            can_undo=id_ in decisions,
            can_change=decisions.get(id_) in {"accepted", "edited"},
            form_key=f"{id_}-{decisions.get(id_, 'open')}",
        )
        for index, id_ in enumerate(IDS)
    )
    open_count = len(IDS) - len(decisions)
    return DeskPage(
        rehearsal_id=PAGE.rehearsal_id,
        title="A talk",
        trainee="Ana",
        note="",
        facts=(),
        constructed=False,
        player=PAGE.player,
        lanes=PAGE.lanes,
        sentences=PAGE.sentences,
        not_measured=(),
        notes=NotesPanel(
            rehearsal_id=PAGE.rehearsal_id, notes=(), lane=(), can_write=True, tags=()
        ),
        corrections=CorrectionsPanel(
            rehearsal_id=PAGE.rehearsal_id, groups=(), corrected=(), can_correct=True
        ),
        rubric=None,
        may_invite=False,
        asked=None,
        items=items,
        seen=0,
        word="",
        no_room=None,
        unsent=(),
        leaving="",
        can_correct=False,
        can_retract=False,
        corrects="",
        shown_count=sum(item.shown for item in items),
        limit_words="At most three.",
        can_release=not open_count,
        why_not=f"{open_count} to decide." if open_count else "",
        released="",
        held_by_other="",
        handed_over="",
        colleagues=(),
        lease_words="Yours until 15:00",
        reasons=(("wrong", "The measurement is wrong"), ("tone", "I would not say it like this")),
        qualities=(("pauses", "Pauses"),),
    )


class Desk:
    """The desk in a browser, with a server that keeps the decisions in a dict."""

    def __init__(self, serve: Serve) -> None:
        self.decisions: dict[str, Decision] = {}
        self.posted: list[dict[str, str]] = []
        self.problem = ""
        self.kept: list[dict[str, str]] = []
        self.page = serve("/desk", render_to_string("review/desk.html", {"page": _desk({})}))
        self.page.route("**/verdict/*", self._verdict)
        self.page.route("**/items/add/", self._add)
        self.page.route("**/undo/", self._undo)
        self.page.route("**/unsent/", self._unsent)

    def _answer(self, route: Route) -> None:
        context = {
            "page": _desk(self.decisions),
            "request": {"htmx": True},
            "messages": [Message(ERROR, self.problem)] if self.problem else [],
        }
        body = render_to_string("review/_items.html", context)
        route.fulfill(body=body, content_type="text/html")

    def _verdict(self, route: Route, request: Request) -> None:
        fields = dict(parse_qsl(request.post_data or ""))
        self.posted.append(fields)
        id_ = request.url.rsplit("/", 1)[1]
        words: dict[str, Decision] = {
            "accept": "accepted",
            "edit": "edited",
            "reject": "rejected",
        }
        self.decisions[id_] = words[fields["action"]]
        self._answer(route)

    def _undo(self, route: Route) -> None:
        self.decisions.popitem()
        self._answer(route)

    def _unsent(self, route: Route, request: Request) -> None:
        self.kept.append(dict(parse_qsl(request.post_data or "")))
        route.fulfill(status=204)

    def _add(self, route: Route, request: Request) -> None:
        self.posted.append(dict(parse_qsl(request.post_data or "")))
        self._answer(route)

    def current(self) -> Locator:
        return self.page.locator("[data-current]")


@pytest.fixture
def desk(serve: Serve) -> Desk:
    """Three open items."""
    return Desk(serve)


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
    with desk.page.expect_response("**/unsent/"):
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
    desk.current().get_by_role("button", name="Keep this wording").click()
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
    desk.current().get_by_role("button", name="Reject it").click()
    expect(item(desk, 0)).to_have_attribute("data-decision", "rejected")
    said = item(desk, 0).get_by_text("To decide anew, undo this first.")
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
    desk.current().get_by_role("button", name="Reject it").click()
    assert desk.posted == []
    desk.page.keyboard.press("2")
    desk.current().get_by_role("button", name="Reject it").click()
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
    desk.page.get_by_text("Add an item of your own").last.click()
    desk.page.locator("#own-clips-new").fill("0:03")
    desk.page.locator("#own-claim").fill("You named the number twice.")
    desk.page.keyboard.press("Control+Enter")
    expect(desk.page.locator("#own-claim")).to_have_value("")
    assert desk.posted[1]["clips"] == "0:03"


def test_s_opens_what_goes_out_with_the_last_button_in_focus(desk: Desk) -> None:
    page = desk.page
    body = "<h2 tabindex=-1>Out</h2><button data-last>Release it</button>"
    page.route("**/summary/", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Release it")).to_be_focused()
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


# The button that is found at the middle of each button, as a pointer would find it.
COVERED = """(everywhere) => [...document.querySelectorAll("button, summary, a[href]")]
  .filter((each) => each.checkVisibility({visibilityProperty: true}) && !each.closest(".skip"))
  .filter((each) => {
    if (everywhere) each.scrollIntoView({block: "nearest", behavior: "instant"});
    const box = each.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const room = each.closest("[data-scroll], .transcript")?.getBoundingClientRect();
    if (room && (y < room.top || y > room.bottom)) return false; // scrolled away, not covered
    if (!box.width || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    const found = document.elementFromPoint(x, y);
    return found && !each.contains(found) && !found.contains(each);
  }).map((each) => each.textContent.trim() || each.getAttribute("aria-label"))"""


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_nothing_covers_a_button(size: tuple[int, int], desk: Desk) -> None:
    page = desk.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    assert page.evaluate(COVERED, False) == []
    for keys in ("ArrowDown", "e", "x"):
        page.keyboard.press(keys)
        if keys != "ArrowDown":
            page.keyboard.press("Escape")
            page.keyboard.press(keys)
        assert page.evaluate(COVERED, True) == []
        if size[0] > 1000:
            assert page.evaluate(COVERED, False) == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_form_opens_in_view_with_its_last_button_on_a_laptop(
    language: str, serve: Serve
) -> None:
    with override(language):
        desk = Desk(serve)
    page = desk.page
    page.set_viewport_size({"width": 1366, "height": 768})
    for presses in (1, 2):
        page.keyboard.press("ArrowDown")
        for key, form in (("e", "edit"), ("r", "replace"), ("x", "reject")):
            page.keyboard.press(key)
            opened = desk.current().locator(f"[data-form={form}]")
            expect(opened.locator("[type=submit]")).to_be_in_viewport(ratio=0.99)
            first = opened.locator("textarea, [type=radio]").first
            expect(first).to_be_in_viewport(ratio=0.99)
            expect(first).to_be_focused()
            assert page.evaluate(COVERED, False) == [], (form, presses)
            page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.locator("[data-own] [type=submit]")).to_be_in_viewport(ratio=0.99)
    expect(page.locator("#own-claim")).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_an_open_card_shows_its_moves_and_its_reason_without_scrolling(
    language: str, serve: Serve
) -> None:
    with override(language):
        desk = Desk(serve)
    desk.page.set_viewport_size({"width": 1366, "height": 768})
    card = desk.current()
    for part in (".card__claim", ".chips", "[data-verdict=hold]", ".item__places", ".card__why"):
        expect(card.locator(part).first).to_be_in_viewport(ratio=0.99)


def test_a_laptop_shows_the_whole_desk_and_scrolls_only_inside_its_columns(desk: Desk) -> None:
    page = desk.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_text("Add an item of your own").last.click()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for selector in ("#player", ".lanes__foot", ".transcript", "#release"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 768
    for top in range(0, 1200, 90):
        page.evaluate("(top) => document.querySelector('[data-scroll]').scrollTo({top})", top)
        assert page.evaluate(COVERED, False) == []


def top_of(page: Page, selector: str) -> float:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize(
    ("width", "height", "order"),
    [
        (820, 1180, ["#player", ".lanes", "#items", ".transcript"]),
        (390, 844, ["#player", "#items", ".transcript", ".lanes"]),
    ],
)
def test_an_upright_tablet_has_the_timeline_under_the_picture_a_phone_the_items(
    width: int, height: int, order: list[str], desk: Desk
) -> None:
    desk.page.set_viewport_size({"width": width, "height": height})
    tops = [top_of(desk.page, selector) for selector in order]
    assert tops == sorted(tops)
    assert desk.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_one_item_is_open_at_a_time_and_a_folded_one_keeps_its_moments(desk: Desk) -> None:
    opened = desk.page.locator("[data-fold][open]")
    expect(opened).to_have_count(1)
    desk.page.locator("[data-item]").nth(1).locator("h3").click()
    expect(opened).to_have_count(1)
    expect(desk.current()).to_have_attribute("data-item", IDS[1])
    for item in desk.page.locator("[data-item]").all():
        expect(item.locator("[data-clip]").first).to_be_visible()
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
    desk.page.get_by_text("Add an item of your own").last.click()
    desk.page.evaluate("document.querySelector('#player').currentTime = 12.4")
    desk.page.locator("[data-take-time=own-clips-new]").click()
    desk.page.locator("#own-claim").fill("You named the number twice.")
    desk.page.get_by_role("button", name="Add it").click()
    expect(desk.page.locator("#own-claim")).to_have_value("")
    assert desk.posted[0]["clips"] == "0:12"


def test_a_refused_item_of_ones_own_keeps_what_was_typed(desk: Desk) -> None:
    desk.problem = "Say what you observed."
    desk.page.get_by_text("Add an item of your own").last.click()
    desk.page.locator("#own-clips-new").fill("0:03")
    desk.page.locator("#own-claim").fill("You named the number twice.")
    desk.page.get_by_role("button", name="Add it").click()
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
