"""Where things stand on the review desk: in sight, uncovered, on a laptop, a tablet and a phone."""

from __future__ import annotations

import pytest
from django.utils.translation import override
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.desks import Desk

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


LINES_OF_WORDS = """() => {
  const words = document.querySelector(".transcript");
  const style = getComputedStyle(words);
  const room = words.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
  return room / parseFloat(style.lineHeight);
}"""


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
    page.get_by_text("Add your own card").last.click()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for selector in ("#player", ".lanes__foot", ".transcript", "#release"):
        box = page.locator(selector).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 768
    assert page.evaluate(LINES_OF_WORDS) >= 8
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
