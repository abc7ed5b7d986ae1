"""Signing in at an institution's provider in a real browser, under the site's own policy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from coach.accounts.models import User
from tests.coach.accounts.oidc import Provider, running_provider
from tests.coach.browser.steps import problems

NEW = "mina@uni.example"


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    with running_provider() as running:
        settings.OIDC_ISSUER = running.issuer
        settings.OIDC_NAME = "Example University"
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = "rostrum", "not a secret"
        settings.OIDC_NEW_ACCOUNTS = True
        running.know("mina", email=NEW, email_verified=True, name="Mina M.")
        yield running


@pytest.mark.filterwarnings("ignore::DeprecationWarning:authlib")
def test_the_button_leads_to_the_provider_and_back(
    live_server: LiveServer, provider: Provider, page: Page, axe: str
) -> None:
    cache.clear()
    page.goto(f"{live_server.url}/accounts/login/?next=/accounts/2fa/")
    assert problems(page, axe) == []
    page.get_by_role("button", name="Sign in with Example University").click()
    page.get_by_placeholder("sub").fill("mina")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_role("heading", name="Password and passkeys")).to_be_visible()
    expect(page.get_by_text(NEW)).to_be_visible()
    assert problems(page, axe) == []
    assert User.objects.get(email=NEW).name == "Mina M."
    page.get_by_role("link", name="Show your sessions").click()
    expect(page.get_by_text("This session")).to_be_visible()
    assert problems(page, axe) == []
