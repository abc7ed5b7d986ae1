"""After signing out, nobody who comes next finds a page by going back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from tests.coach.factories import PASSWORD


@pytest.fixture
def keeping_page(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> Iterator[Page]:
    """A browser that keeps pages for going back, as people's do and playwright's does not."""
    kept = ["--disable-back-forward-cache"]
    with browser_type.launch(**browser_type_launch_args, ignore_default_args=kept) as browser:
        yield browser.new_page()


def test_going_back_after_signing_out_shows_nothing(
    keeping_page: Page, live_server: LiveServer, playable_take: Rehearsal, trainee: User
) -> None:
    page, path = keeping_page, f"/rehearsals/{playable_take.pk}/"
    page.goto(f"{live_server.url}/accounts/login/?next={path}")
    page.locator("input[name=login]").fill(trainee.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.wait_for_url(f"{live_server.url}{path}")
    expect(page.get_by_role("heading", name=playable_take.title)).to_be_visible()
    page.get_by_text(trainee.name, exact=True).click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/")
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in to rehearse")).to_be_visible()
    assert playable_take.title not in page.content()
