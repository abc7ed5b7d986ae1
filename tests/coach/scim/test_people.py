"""People by SCIM: what an identity provider can do to accounts, and what it cannot."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client
from pytest_django.fixtures import Settings

from coach.accounts.models import LegalHold, Role, User
from coach.accounts.people import set_access, set_roles
from coach.accounts.provisioned import ProvisionedPerson
from coach.accounts.services import set_hold
from coach.api.scopes import Scope
from coach.audit.models import Entry
from coach.portal.models import Invitation
from coach.portal.personal.own_data import own_data
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.scim.provider import Provider

pytestmark = pytest.mark.django_db

MATCH = (Scope.SCIM, Scope.SCIM_MATCH)


@pytest.fixture(autouse=True)
def no_limit_reached() -> None:
    cache.clear()


@pytest.fixture
def provider(administrator: User) -> Provider:
    return Provider(administrator)


@pytest.fixture
def matching(administrator: User) -> Provider:
    return Provider(administrator, MATCH)


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"op": "Replace", "path": path, "value": value}


def test_a_person_comes_as_entra_sends_them_and_is_a_trainee(
    provider: Provider, administrator: User
) -> None:
    said = {
        "externalId": "0f8a",
        "active": True,
        "emails": [
            {"primary": False, "type": "home", "value": "ada@home.example"},
            {"primary": True, "type": "work", "value": "Ada@Uni.example"},
        ],
        "name": {"givenName": "Ada", "familyName": "L."},
        "title": "Countess",
        "roles": [{"value": "administrator"}],
        "preferredLanguage": "fr-FR",
    }
    made = provider.add("ada@upn.example", **said)
    assert made.status_code == 201
    assert made.headers["Location"] == made.json()["meta"]["location"]
    ada = User.objects.get(email="ada@uni.example")
    assert (ada.name, ada.roles, ada.language, ada.is_staff) == ("Ada L.", ["trainee"], "fr", False)
    assert not ada.has_usable_password()
    assert not Invitation.objects.exists()
    acts = set(Entry.objects.filter(actor=administrator).values_list("action", flat=True))
    assert acts >= {"accounts.person_added", "scim.person_managed"}
    # A later synchronisation that says the same changes nothing that the person chose.
    User.objects.update(language="en")
    place = f"Users/{made.json()['id']}"
    assert provider.patch(place, replace("preferredLanguage", "fr-FR")).status_code == 200
    assert provider.patch(place, replace("name.givenName", "Ida")).status_code == 200
    work = {"name.givenName": "Ida", 'emails[type eq "work"].value': "ada@new.example"}
    assert provider.patch(place, {"op": "Add", "value": work}).status_code == 200
    ada.refresh_from_db()
    assert (ada.name, ada.language, ada.email) == ("Ada L.", "en", "ada@new.example")


def test_an_administrator_can_have_new_people_invited(administrator: User) -> None:
    provider = Provider(administrator, (Scope.SCIM, Scope.SCIM_INVITE))
    provider.add()
    assert Invitation.objects.get().person.email == "ada@example.org"


def test_closing_ends_sessions_and_deletes_nothing(
    matching: Provider, sent: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    browser = sign_in(trainee)
    key = matching.add(trainee.email, displayName="Ana").json()["id"]
    assert browser.get("/privacy/").status_code == 200
    closed = matching.patch(f"Users/{key}", {"op": "Replace", "value": {"active": False}})
    assert closed.json()["active"] is False
    assert browser.get("/privacy/").status_code == 302
    sent.refresh_from_db()
    assert (sent.owner, sent.media_removed_at) == (trainee, None)
    assert trainee.memberships.count() == 1
    opened = matching.patch(f"Users/{key}", replace("active", "True"))
    assert opened.json()["active"] is True
    assert matching.ask("delete", f"Users/{key}").status_code == 204
    assert matching.get(f"Users/{key}").status_code == 404
    trainee.refresh_from_db()
    assert not trainee.is_active
    assert Rehearsal.objects.filter(pk=sent.pk).exists()
    row = ProvisionedPerson.objects.get()
    assert (row.user_name, row.external_id) == ("", "")


def test_a_person_who_comes_back_gets_their_account_under_a_new_id(provider: Provider) -> None:
    first = provider.add().json()["id"]
    provider.ask("delete", f"Users/{first}")
    again = provider.add()
    assert again.status_code == 201
    assert again.json()["id"] != first
    assert again.json()["active"] is True
    assert User.objects.filter(email="ada@example.org").count() == 1


def test_a_hold_holds(matching: Provider, sent: Rehearsal, trainee: User) -> None:
    hold = LegalHold(user=trainee, reason="A complaint")
    set_hold(hold=hold, actor=User.objects.get(is_staff=True))
    key = matching.add(trainee.email).json()["id"]
    assert matching.ask("delete", f"Users/{key}").status_code == 204
    assert Rehearsal.objects.filter(pk=sent.pk, media_removed_at=None).exists()
    assert hold.user is not None


def test_an_account_that_an_administrator_closed_stays_closed(
    provider: Provider, administrator: User
) -> None:
    made = provider.add().json()
    set_access(person=User.objects.get(email="ada@example.org"), may_sign_in=False, actor=None)
    said = {**made, "active": True}
    assert provider.ask("put", f"Users/{made['id']}", said).json()["active"] is False
    assert not User.objects.get(email="ada@example.org").is_active


def test_existing_accounts_are_not_taken_over(
    provider: Provider, trainee: User, administrator: User
) -> None:
    for address in (trainee.email.upper(), administrator.email):
        answer = provider.add(address, externalId="theirs")
        assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")
    assert (
        provider.get("Users", filter=f'userName eq "{trainee.email}"').json()["totalResults"] == 0
    )
    assert not ProvisionedPerson.objects.exists()


def test_nobody_with_another_role_gets_another_address(
    matching: Provider, coach: User, trainee: User
) -> None:
    key = matching.add(coach.email).json()["id"]
    emails = [{"value": "evil@example.org", "type": "work"}]
    answer = matching.patch(f"Users/{key}", replace("emails", emails))
    assert answer.status_code == 403
    path = 'emails[type eq "work"].value'
    assert matching.patch(f"Users/{key}", replace(path, "evil@example.org")).status_code == 403
    coach.refresh_from_db()
    assert (coach.email, coach.name) == ("bea@example.org", "Bea")
    key = matching.add(trainee.email).json()["id"]
    assert matching.patch(f"Users/{key}", replace(path, "ana@uni.example")).status_code == 200
    taken = matching.patch(f"Users/{key}", replace(path, coach.email))
    assert taken.json()["scimType"] == "uniqueness"
    trainee.refresh_from_db()
    assert trainee.email == "ana@uni.example"


def test_the_last_administrator_stays(matching: Provider, administrator: User) -> None:
    key = matching.add(administrator.email).json()["id"]
    for answer in (
        matching.patch(f"Users/{key}", replace("active", False)),
        matching.ask("delete", f"Users/{key}"),
    ):
        assert answer.status_code == 409
        assert answer.json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    administrator.refresh_from_db()
    assert administrator.is_active
    assert matching.get(f"Users/{key}").status_code == 200
    # With another one, they leave, and their token with them.
    set_roles(person=UserFactory(), roles=[Role.ADMINISTRATOR], actor=None)
    assert matching.ask("delete", f"Users/{key}").status_code == 204
    assert matching.get("Users").status_code == 401


def test_an_administrator_who_coaches_is_not_opened_again(
    matching: Provider, administrator: User, coach: User
) -> None:
    set_roles(person=coach, roles=[Role.COACH, Role.ADMINISTRATOR], actor=None)
    key = matching.add(coach.email).json()["id"]
    assert matching.patch(f"Users/{key}", replace("active", False)).status_code == 200
    assert matching.patch(f"Users/{key}", replace("active", True)).status_code == 409
    coach.refresh_from_db()
    assert not coach.is_active


def test_with_single_sign_on_new_people_are_known_by_their_external_id(
    matching: Provider, trainee: User, settings: Settings
) -> None:
    settings.OIDC_ISSUER = "https://login.example"
    key = matching.add(externalId="sub-1").json()["id"]
    linked = SocialAccount.objects.get()
    assert (linked.user.email, linked.uid) == ("ada@example.org", "sub-1")
    taken = matching.add("eve@example.org", externalId="sub-1")
    assert (taken.status_code, taken.json()["scimType"]) == (409, "uniqueness")
    assert not User.objects.filter(email="eve@example.org").exists()
    # An account that somebody uses already is linked by its person alone.
    matching.add(trainee.email, externalId="sub-2")
    assert SocialAccount.objects.count() == 1
    matching.patch(f"Users/{key}", replace("externalId", "sub-3"))
    assert list(SocialAccount.objects.values_list("uid", flat=True)) == ["sub-3"]


def test_a_person_reads_and_erases_what_the_provider_says(provider: Provider) -> None:
    provider.add(externalId="0f8a")
    ada = User.objects.get(email="ada@example.org")
    assert own_data(ada)["provisioned"][0]["external_id"] == "0f8a"
    ada.delete()
    assert not ProvisionedPerson.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        {"userName": ""},
        {"userName": "no address"},
        {"userName": "a\u0000@example.org\n", "emails": [{"value": "x\r\nBcc: y@z.example"}]},
        {"userName": "a" * 255 + "@example.org"},
        {"userName": 7, "emails": "x"},
        {"externalId": "x" * 256},
        {"displayName": "x" * 121},
        {"active": "maybe"},
        {"emails": [[]]},
        {"schemas": ["urn:example:other"]},
    ],
)
def test_wrong_people_are_refused(provider: Provider, said: dict[str, Any]) -> None:
    answer = provider.add(**{"user_name": "ada@example.org", **_named(said)})
    assert answer.status_code == 400, answer.content
    assert not User.objects.exclude(is_staff=True).exists()


def _named(said: dict[str, Any]) -> dict[str, Any]:
    return {("user_name" if name == "userName" else name): each for name, each in said.items()}


def test_bodies_are_limited(provider: Provider) -> None:
    for body, status in (
        ("x", 400), ("[]", 400), ("null", 400), ("[" * 100_000, 400),
        ('"' + "x" * 2**20 + '"', 413), ('"' + "x" * 2**22 + '"', 413),
    ):  # fmt: skip
        assert provider.ask("post", "Users", body).status_code == status, body[:9]
    assert provider.add("bob@example.org").status_code == 201


FILTERS_THAT_FIND = [
    'userName eq "ADA@example.org"', 'externalId eq "0f8a"', 'displayName eq "Ada"',
    'emails.value eq "Ada@Example.org"', 'emails eq "ada@example.org"',
    'userName eq "ada@example.org" and externalId eq "0f8a"',
]  # fmt: skip
FILTERS_THAT_FIND_NOTHING = [
    'userName eq "ada@example.org\' or 1=1 --"', 'userName eq "%"', 'userName eq "a_a@example.org"',
    'userName eq "\\u0000"', 'userName eq "\\ud800"', 'id eq "1"', 'id eq "1 or 1=1"',
    'externalId eq ""', 'userName eq "ada@example.org" and externalId eq "other"',
]  # fmt: skip
FILTERS_THAT_ARE_REFUSED = [
    'userName sw "a"', 'userName co "a"', 'userName ne "a"', 'userName pr', "userName eq 1",
    'not (userName eq "a")', 'userName eq "a" or userName eq "b"', 'user__password eq "x"',
    'user.password eq "x"', 'password eq "x"', 'pk eq "1"', 'user_name eq "x"', 'roles eq "x"',
    'user__is_staff eq "x"', 'meta.created gt "2020-01-01T00:00:00Z"', 'userName eq "a', "", "((((",
    'userName eq "' + "x" * 1001 + '"', "(" * 900, 'emails[type eq "work" and value eq "x"]',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', 'userName eq "x" and',
]  # fmt: skip


def test_filters_find_by_equality_alone(provider: Provider) -> None:
    provider.add(externalId="0f8a", displayName="Ada")
    provider.add("bob@example.org")
    for text in FILTERS_THAT_FIND:
        found = provider.get("Users", filter=text).json()
        assert [each["displayName"] for each in found["Resources"]] == ["Ada"], text
    for text in FILTERS_THAT_FIND_NOTHING:
        assert provider.get("Users", filter=text).json()["totalResults"] == 0, text
    for text in FILTERS_THAT_ARE_REFUSED:
        answer = provider.get("Users", filter=text)
        assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidFilter"), text


def test_lists_come_in_pages(provider: Provider) -> None:
    for name in ("ada", "bob", "cleo"):
        provider.add(f"{name}@example.org")
    page = provider.get("Users", startIndex=2, count=1).json()
    assert (page["totalResults"], page["startIndex"], page["itemsPerPage"]) == (3, 2, 1)
    assert page["Resources"][0]["userName"] == "bob@example.org"
    assert provider.get("Users", count=0).json().get("Resources", []) == []
    for first in (-5, 0, 10**40):
        assert provider.get("Users", startIndex=first).status_code == 200
    assert len(provider.get("Users", count=10**40).json()["Resources"]) == 3
    assert provider.get("Users", count="x").status_code == 400
    few = provider.get("Users", attributes="userName").json()["Resources"][0]
    assert set(few) == {"schemas", "id", "userName"}


def test_patches_that_make_no_sense_change_nothing(provider: Provider) -> None:
    made = provider.add(displayName="Ada").json()
    place = f"Users/{made['id']}"
    for operation in (
        {"op": "remove", "path": "userName"}, {"op": "remove", "path": "active"}, {"op": "remove"},
        {"op": "replace", "path": "id", "value": "x"}, {"op": "explode", "path": "displayName"},
        {"op": "replace", "path": "displayName[", "value": "x"}, {"op": "add"}, "x",
        {"op": "replace", "path": "displayName", "value": {"a": 1}},
        {"op": "replace", "path": "displayName", "value": "x" * 121},
    ):  # fmt: skip
        assert provider.patch(place, operation).status_code == 400, operation
    assert provider.patch(place, replace("title", "Dr")).status_code == 200
    assert provider.ask("patch", place, {"Operations": 1}).status_code == 400
    assert provider.get(place).json()["displayName"] == "Ada"


def test_only_a_token_for_scim_of_an_administrator_opens_it(
    administrator: User, trainee: User, sign_in: SignIn
) -> None:
    provider = Provider(administrator)
    made = provider.add().json()
    paths = [
        ("get", "ServiceProviderConfig"), ("get", "Schemas"), ("get", "ResourceTypes"),
        ("get", "Users"), ("post", "Users"), ("get", "Groups"), ("post", "Groups"),
        *((method, f"Users/{made['id']}") for method in ("get", "put", "patch", "delete")),
        ("get", "anything"),
    ]  # fmt: skip
    foreign = Provider(administrator, [Scope.TAKES_READ])
    of_trainee = Provider(trainee)
    for method, path in paths:
        assert foreign.ask(method, path).status_code == 403
        assert of_trainee.ask(method, path).status_code == 403
        answer = getattr(Client(), method)(f"/scim/v2/{path}")
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert sign_in(administrator).generic(method, f"/scim/v2/{path}").status_code == 401
    assert User.objects.get(email="ada@example.org").is_active
    UserFactory(roles=[Role.ADMINISTRATOR], is_staff=True)
    set_roles(person=administrator, roles=[Role.TRAINEE], actor=None)
    assert provider.get("Users").status_code == 403


def test_requests_are_limited(provider: Provider, settings: Settings) -> None:
    settings.API_PER_MINUTE = 1
    provider.get("Users")
    answer = provider.get("Users")
    assert answer.status_code == 429
    assert "Retry-After" in answer.headers
    assert answer.headers["Content-Type"] == "application/scim+json"
