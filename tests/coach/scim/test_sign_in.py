"""People whom SCIM has added sign in at the real provider of the tests, without an invitation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from coach.accounts.models import User
from tests.coach.accounts.oidc import Provider as SignInProvider
from tests.coach.accounts.oidc import running_provider, sign_in_there
from tests.coach.scim.provider import Provider

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:authlib"),
]


@pytest.fixture
def uni(settings: Settings) -> Iterator[SignInProvider]:
    cache.clear()
    with running_provider() as provider:
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = "rostrum", "not a secret"
        provider.know("m1", email="mina@uni.example", email_verified=False, oid="0f8a")
        yield provider


def is_in(client: Client) -> bool:
    return client.get(reverse("portal:privacy")).status_code == 200


@pytest.mark.parametrize(("claim", "external_id"), [("sub", "m1"), ("oid", "0f8a")])
def test_a_person_signs_in_with_the_id_of_scim_until_scim_closes_the_account(
    claim: str, external_id: str, uni: SignInProvider, administrator: User, settings: Settings
) -> None:
    settings.OIDC_ID_CLAIM = claim
    scim = Provider(administrator)
    key = scim.add("mina@uni.example", externalId=external_id).json()["id"]
    browser = Client()
    sign_in_there(browser, uni, "m1")
    assert is_in(browser)
    assert User.objects.filter(email="mina@uni.example").count() == 1
    scim.ask("delete", f"Users/{key}")
    assert not is_in(browser)
    sign_in_there(browser, uni, "m1")
    assert not is_in(browser)


def test_a_claim_that_the_provider_does_not_state_opens_nothing(
    uni: SignInProvider, settings: Settings
) -> None:
    settings.OIDC_ID_CLAIM = "employee"
    browser = Client()
    sign_in_there(browser, uni, "m1")
    assert not is_in(browser)
