"""What every test of the recorder does on its page."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from coach.accounts.models import User

RECORD = reverse("feedback:record")
Enter = Callable[[BrowserContext, User], Page]


def turn_on(page: Page, what: str = "camera and microphone") -> None:
    expect(page.locator("[data-findings]")).to_have_text(
        re.compile("^Turn on"), use_inner_text=True
    )
    page.get_by_role("button", name=f"Turn on {what}", exact=True).click()
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_enabled(timeout=20_000)


def record_for(page: Page, milliseconds: int) -> None:
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("[data-clock]")).to_have_text(re.compile(r"0:0[1-9]"))
    page.wait_for_timeout(milliseconds - 1000)
