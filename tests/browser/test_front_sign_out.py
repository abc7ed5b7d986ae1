"""Signing out takes what was typed off this machine, once the site can be told of it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page, expect

from tests.browser.conftest import SITE, Serve

TYPED = "Object.keys(localStorage).filter((each) => each.startsWith('rostrum.unsent.')).length"
KEPT = "localStorage.setItem('rostrum.unsent.7./about.form', JSON.stringify({ fields: {} }))"
IS_GONE = """
window.isGone = true;
window.fetch = () => new Promise((there, gone) => {
  setTimeout(() => (window.isGone ? gone() : there({})));
});
"""


@pytest.mark.parametrize("says_online", [True, False])
def test_without_a_line_signing_out_leaves_what_was_typed_until_it_gets_through(
    page: Page, serve: Serve, says_online: bool
) -> None:
    """A browser with a network says that it has a line, whether the site is behind it or not."""
    page.add_init_script(IS_GONE)
    page.add_init_script(
        f"Object.defineProperty(navigator, 'onLine', {{ get: () => {str(says_online).lower()} }})"
    )
    user = SimpleNamespace(is_authenticated=True, pk=7, can_practise=False)
    serve("/here", render_to_string("_base.html", {"user": user}))
    page.route(f"{SITE}/accounts/logout/", lambda route: route.fulfill(body="Signed out."))
    page.evaluate(KEPT)
    page.locator("summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("We could not send this.")
    assert page.evaluate(TYPED) == 1
    page.evaluate("window.isGone = false")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("Signed out.")).to_be_visible()
    assert page.evaluate(TYPED) == 0
