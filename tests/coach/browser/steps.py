"""What people do in a browser, and what has to hold of every page there."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

OPEN_ALL = """() => {
  const folded = document.querySelectorAll("main details:not([open])");
  for (const each of folded) each.open = true;
  return folded.length;
}"""
"""Says how many were opened."""

LOOKS = [("light", 1440, 900), ("dark", 390, 844)]


def problems(page: Page, axe: str) -> list[str]:
    """What axe finds, one line each. The script comes from outside the page's own policy."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    found = page.evaluate(
        "rules => axe.run({runOnly: {type: 'tag', values: rules}, resultTypes: ['violations']})",
        RULES,
    )["violations"]
    return [
        f"{each['id']}: {json.dumps([node['target'] for node in each['nodes']][:3])}"
        for each in found
    ]


def check(page: Page, axe: str, path: str) -> None:
    """Look at one page as it comes, then in each look with every disclosure open.

    What opens nothing is as it came, and not looked at twice.
    """
    for number, (scheme, width, height) in enumerate(LOOKS):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": height})
        if number == 0:  # what is opened stays open
            assert problems(page, axe) == [], (path, scheme)
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{path} scrolls sideways by {wide} px at {width} px"
        if page.evaluate(OPEN_ALL) or number > 0:
            assert problems(page, axe) == [], (path, scheme, "all open")


def sign_out(page: Page) -> None:
    page.context.clear_cookies()


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for what a page sends beside, and shows no answer to."""
    for _attempt in range(150):
        if holds():
            return
        page.wait_for_timeout(100)
    pytest.fail("the site was never told")


def current_time(page: Page) -> float:
    return float(page.evaluate("document.getElementById('player').currentTime"))


def play_slowly(page: Page) -> None:
    """A second of the recording lasts ten: a busy machine looks late, and finds it there still."""
    page.evaluate("document.getElementById('player').playbackRate = 0.1")


def wait_until_playable(page: Page) -> None:
    """The page's policy forbids what Playwright's own waiting would need, so ask repeatedly."""
    for _attempt in range(100):
        if page.evaluate("document.getElementById('player').readyState") >= 1:
            return
        page.wait_for_timeout(100)
    pytest.fail("the recording never became playable")
