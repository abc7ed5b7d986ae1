"""A passkey in a real browser, with the virtual authenticator that Chromium has for tests."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from tests.coach.browser.steps import problems
from tests.coach.factories import PASSWORD

_DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def site(live_server: LiveServer, page: Page) -> str:
    """The site under a name (no passkey belongs to an IP address), on a device with passkeys."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": _DEVICE})
    return live_server.url.replace("127.0.0.1", "localhost")


def test_a_passkey_is_added_and_signs_in_without_a_password(
    site: str, page: Page, trainee: User, axe: str
) -> None:
    page.goto(f"{site}/accounts/login/?next=/accounts/2fa/")
    page.get_by_label("Email").fill(trainee.email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    page.get_by_role("link", name="Add a passkey").click()
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password]").press("Enter")
    expect(page.get_by_label("Name")).to_have_value("Passkey")
    assert problems(page, axe) == []
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    assert set(Authenticator.objects.values_list("type", flat=True)) == {
        "webauthn",
        "recovery_codes",
    }
    page.context.clear_cookies()
    page.goto(f"{site}/accounts/login/?next=/accounts/2fa/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Password and passkeys")).to_be_visible()
    assert problems(page, axe) == []
