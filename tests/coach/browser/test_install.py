"""Rostrum as an app: without a connection it says so, and keeps no page of a person."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from tests.coach.conftest import SignIn

_STORED = """async () => {
  const named = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
  const requests = await Promise.all(named);
  return requests.flat().map((each) => new URL(each.url).pathname);
}"""


def test_without_a_connection_the_offline_page_comes_and_no_page_was_stored(
    browser: Browser, live_server: LiveServer, trainee: User, sign_in: SignIn
) -> None:
    context = browser.new_context()
    mark = sign_in(trainee).cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": mark, "url": live_server.url}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.goto(live_server.url + reverse("feedback:takes"))
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto(live_server.url + reverse("portal:privacy"))
    assert reverse("portal:offline") in (stored := page.evaluate(_STORED))
    assert all(each.startswith(("/static/", "/offline/")) for each in stored)
    context.set_offline(True)
    page.goto(live_server.url + reverse("feedback:takes"))
    expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")
    context.set_offline(False)
    page.get_by_role("link").click()
    expect(page).to_have_url(live_server.url + reverse("feedback:takes"))
    context.close()
