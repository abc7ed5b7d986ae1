"""The page on which administrators make and revoke tokens for an identity provider."""

from __future__ import annotations

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.api.models import ApiToken
from coach.audit.models import Entry
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.scim.provider import Provider

pytestmark = pytest.mark.django_db

PAGE = "/administration/scim/"
SAID = {"name": "Entra ID", "scopes": ["scim:match"], "days": "365"}


def test_a_token_is_shown_once_and_works(administrator: User, sign_in: SignIn) -> None:
    browser = sign_in(administrator)
    made = browser.post(PAGE, SAID).context["made"]
    token = ApiToken.objects.get()
    assert token.scopes == ["scim", "scim:match"]
    page = browser.get(PAGE)
    assert made not in page.content.decode()
    assert page.context["address"] == "http://testserver/scim/v2"
    program = Client(headers={"Authorization": f"Bearer {made}"})
    assert program.get("/scim/v2/Users").status_code == 200
    # Another administrator can end it.
    other = UserFactory(roles=[Role.ADMINISTRATOR], is_staff=True)
    sign_in(other).post(reverse("scim:revoke_token", args=[token.pk]))
    assert program.get("/scim/v2/Users").status_code == 401
    assert Entry.objects.filter(action="api.token_revoked", actor=other).count() == 1


def test_it_needs_a_fresh_password(administrator: User) -> None:
    browser = Client()
    browser.force_login(administrator)
    assert "/reauthenticate/" in browser.post(PAGE, SAID).headers["Location"]
    assert not ApiToken.objects.exists()


def test_no_other_scope_and_no_other_page_makes_one(administrator: User, sign_in: SignIn) -> None:
    browser = sign_in(administrator)
    assert browser.post(PAGE, {**SAID, "scopes": ["takes:read"]}).status_code == 422
    assert browser.post("/accounts/tokens/", {**SAID, "scopes": ["scim"]}).status_code == 422
    assert not ApiToken.objects.exists()


def test_strangers_find_no_tokens(administrator: User, stranger: User, sign_in: SignIn) -> None:
    token = Provider(administrator).token
    browser = sign_in(stranger)
    revoke = reverse("scim:revoke_token", args=[token.pk])
    assert browser.get(PAGE).status_code == 404
    assert browser.post(PAGE, SAID).status_code == 404
    assert browser.post(revoke).status_code == 404
    assert Client().post(revoke).status_code == 302
    token.refresh_from_db()
    assert token.is_valid


def test_a_site_without_the_api_has_no_scim(administrator: User, sign_in: SignIn) -> None:
    provider = Provider(administrator)
    with override_settings(API=False):
        assert sign_in(administrator).get(PAGE).status_code == 404
        assert provider.get("Users").status_code == 404
