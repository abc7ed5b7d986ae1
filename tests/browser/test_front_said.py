"""What happened is read out to somebody who does not see it: in a place that was there before."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve


@pytest.fixture
def told(page: Page, serve: Serve) -> Page:
    """A page after an act, with what the site has to say of it, and that as it came first."""
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => {"
        " window.first = document.querySelector('.notice'); })"
    )
    return serve("/after", render_to_string("_base.html", {"messages": ["It went to your coach."]}))


def test_what_an_act_led_to_is_told_again_once_the_page_is_there(told: Page) -> None:
    """A reader tells what changes in a status, and nothing that stood there from the beginning."""
    expect(told.locator(".notice")).to_have_text("It went to your coach.")
    for _ in range(300):
        if not told.evaluate("window.first.isConnected"):
            break
        told.wait_for_timeout(50)
    assert not told.evaluate("window.first.isConnected")
    expect(told.get_by_role("status").locator(".notice")).to_have_count(1)


def test_what_comes_with_an_answer_is_read_out_once(told: Page) -> None:
    told.evaluate(
        "document.querySelector('.notices').insertAdjacentHTML("
        "'afterend', '<p data-say>Coded. · <b>3</b> codings</p>')"
    )
    told.evaluate("document.dispatchEvent(new CustomEvent('htmx:afterSettle'))")
    expect(told.locator("#said")).to_have_text("Coded. · 3 codings")
    told.evaluate("document.getElementById('said').textContent = ''")
    told.evaluate("document.dispatchEvent(new CustomEvent('htmx:afterSettle'))")
    told.wait_for_timeout(200)
    expect(told.locator("#said")).to_be_empty()
