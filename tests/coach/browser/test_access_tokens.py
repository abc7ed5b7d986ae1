"""An access token made in a real browser, on a phone, and used by a program."""

from __future__ import annotations

import json
import urllib.request

from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from tests.coach.browser.conftest import Arrive
from tests.coach.browser.steps import problems


def test_a_token_from_the_page_opens_the_api(
    live_server: LiveServer, trainee: User, arrive: Arrive, axe: str
) -> None:
    page = arrive(trainee, "/accounts/tokens/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_label("Name").fill("Course statistics")
    page.get_by_label("Read takes, reports and cards").check()
    assert problems(page, axe) == []
    page.get_by_role("button", name="Make token").click()
    secret = page.get_by_role("textbox", name="New token").input_value()
    assert problems(page, axe) == []
    request = urllib.request.Request(  # noqa: S310
        f"{live_server.url}/api/v1/me", headers={"Authorization": f"Bearer {secret}"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        said = json.load(answer)
    assert (said["name"], said["scopes"]) == ("Ana", ["takes:read"])
    page.reload()
    expect(page.get_by_role("heading", name="Course statistics")).to_be_visible()
    expect(page.get_by_role("textbox", name="New token")).to_have_count(0)
