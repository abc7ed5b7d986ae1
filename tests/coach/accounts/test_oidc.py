"""Sign-in at an institution's provider: a real one, in a thread of this process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp
from cryptography.hazmat.primitives.asymmetric import rsa
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from coach.accounts.invitations import make_link
from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.people import add_person
from coach.audit.models import Entry
from tests.coach.accounts.oidc import (
    Provider,
    come_back,
    left_for,
    of_provider,
    question_of,
    running_provider,
    sign_in_there,
)
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:authlib")

NEW = "mina@uni.example"


@pytest.fixture(scope="module")
def at_uni() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(at_uni: Provider, settings: Settings, db: None) -> Provider:
    """The provider, which this site uses and which knows Mina, and Ana under another subject."""
    cache.clear()
    settings.OIDC_ISSUER = at_uni.issuer
    settings.OIDC_NAME = "Example University"
    settings.OIDC_CLIENT_ID = "rostrum"
    settings.OIDC_CLIENT_SECRET = "not a secret"
    settings.OIDC_NEW_ACCOUNTS = True
    at_uni.received.clear()
    at_uni.know("mina", email=NEW, email_verified=True, name="Mina M.")
    return at_uni


def is_in(client: Client) -> bool:
    return client.get(reverse("portal:privacy")).status_code == 200


def linked(person: User, provider: Provider, sub: str) -> None:
    SocialAccount.objects.create(user=person, provider=provider.issuer, uid=sub)


# --- signing in


def test_a_person_gets_an_account_and_comes_back_to_the_same_one(
    provider: Provider, client: Client
) -> None:
    next_page = reverse("portal:privacy")
    assert sign_in_there(client, provider, "mina", next=next_page).headers["Location"] == next_page
    person = User.objects.get(email=NEW)
    assert (person.name, person.roles, person.has_usable_password()) == (
        "Mina M.",
        ["trainee"],
        False,
    )
    assert is_in(client)
    # What is stored of the claims is the address alone, and no token is.
    assert SocialAccount.objects.get().extra_data == {"email": NEW}
    other = Client()
    sign_in_there(other, provider, "mina")
    assert is_in(other)
    assert User.objects.filter(email=NEW).count() == 1
    acts = set(Entry.objects.values_list("action", flat=True))
    assert acts >= {"accounts.person_added", "accounts.provider_linked", "accounts.signed_in"}


def test_the_question_has_pkce_a_state_and_a_nonce_and_no_words_of_a_visitor(
    provider: Provider, client: Client
) -> None:
    url = reverse("oidc_sign_in") + "?scope=admin&auth_params=prompt%3Dnone&process=connect"
    page = client.post(url)
    question = question_of(left_for(page))  # type: ignore[arg-type]
    assert question["code_challenge_method"] == "S256"
    assert {"code_challenge", "state", "nonce"} <= question.keys()
    assert set(question["scope"].split()) == {"openid", "profile", "email"}
    assert "prompt" not in question
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    come_back(client, provider.signs_in(left_for(page), "mina"))  # type: ignore[arg-type]
    assert len(provider.received[0]["code_verifier"]) >= 43
    assert is_in(client)


def test_without_a_provider_in_the_settings_there_is_none(
    provider: Provider, client: Client, settings: Settings
) -> None:
    settings.OIDC_ISSUER = ""
    # Not even one that somebody wrote into the database.
    SocialApp.objects.create(provider="openid_connect", provider_id="x", client_id="x", name="x")
    assert client.post(reverse("oidc_sign_in")).status_code == 404
    assert client.get(reverse("oidc_callback"), {"code": "x", "state": "x"}).status_code == 404
    assert reverse("oidc_sign_in") not in client.get(reverse("account_login")).content.decode()


def test_a_closed_site_stays_closed(provider: Provider, client: Client, settings: Settings) -> None:
    settings.OIDC_NEW_ACCOUNTS = False
    page = sign_in_there(client, provider, "mina")
    assert (page.status_code, page.context["why"]) == (403, "closed")  # type: ignore[attr-defined]
    assert not is_in(client)
    assert not User.objects.filter(email=NEW).exists()


def test_an_invitation_is_accepted_with_the_account_of_the_institution(
    provider: Provider, client: Client, settings: Settings
) -> None:
    settings.OIDC_NEW_ACCOUNTS = False
    person = add_person(address="mina@home.example", name="Mina", roles=[Role.TRAINEE])
    link = make_link(person=person, site="http://testserver", actor=None)
    page = client.get(link.removeprefix("http://testserver"), follow=True)
    key = page.context["view"].kwargs["uidb36"]
    assert f'name="invited" value="{key}"' in page.content.decode()
    # Another browser has the name of the person, but not the link.
    assert sign_in_there(Client(), provider, "mina", invited=key).status_code == 403
    sign_in_there(client, provider, "mina", invited=key)
    assert is_in(client)
    assert SocialAccount.objects.get().user == person
    assert client.get(link.removeprefix("http://testserver")).context["token_fail"]


def test_the_second_factor_of_the_site_is_still_asked(
    provider: Provider, client: Client, trainee: User
) -> None:
    linked(trainee, provider, "mina")
    Authenticator.objects.create(user=trainee, type="totp", data={"secret": "x"})
    answer = sign_in_there(client, provider, "mina")
    assert answer.headers["Location"].startswith(reverse("mfa_authenticate"))
    assert not is_in(client)


def test_a_closed_account_stays_closed(provider: Provider, client: Client, trainee: User) -> None:
    linked(trainee, provider, "mina")
    User.objects.filter(pk=trainee.pk).update(is_active=False)
    sign_in_there(client, provider, "mina")
    assert not is_in(client)


# --- groups


def test_groups_follow_the_claim_and_nobody_becomes_an_administrator(
    provider: Provider, client: Client, settings: Settings
) -> None:
    spring = Cohort.objects.create(name="Spring talks")
    settings.OIDC_TRAINEES = {"students": spring.name, "gone": "No such group"}
    settings.OIDC_COACHES = {"tutors": spring.name}
    groups = ["students", "tutors", "administrator"]
    provider.know("mina", email=NEW, email_verified=True, groups=groups)
    sign_in_there(client, provider, "mina")
    person = User.objects.get(email=NEW)
    standing = Membership.objects.filter(user=person)
    assert set(standing.values_list("role", flat=True)) == {"trainee", "coach"}
    assert set(person.roles) == {"trainee", "coach"}
    assert not person.is_staff
    provider.know("mina", email=NEW, email_verified=True, groups=["students"])
    sign_in_there(Client(), provider, "mina")
    assert list(standing.values_list("role", flat=True)) == ["trainee"]
    # Without the claim nothing changes.
    provider.know("mina", email=NEW, email_verified=True)
    sign_in_there(Client(), provider, "mina")
    assert standing.count() == 1


def test_an_administrator_does_not_become_a_coach_by_a_group(
    provider: Provider, client: Client, settings: Settings, administrator: User
) -> None:
    Cohort.objects.create(name="Spring talks")
    settings.OIDC_COACHES = {"tutors": "Spring talks"}
    provider.know("mina", email=NEW, email_verified=True, groups=["tutors"])
    linked(administrator, provider, "mina")
    sign_in_there(client, provider, "mina")
    assert is_in(client)
    assert not Membership.objects.filter(user=administrator).exists()


# --- connecting, and confirming


def test_a_person_with_a_password_connects_and_disconnects(
    provider: Provider, trainee: User, sign_in: SignIn, transactional_db: None
) -> None:
    client = sign_in(trainee)
    address = left_for(client.post(reverse("oidc_connect")))  # type: ignore[arg-type]
    come_back(client, provider.signs_in(address, "mina"))
    assert SocialAccount.objects.get().user == trainee
    assert not User.objects.filter(email=NEW).exists()
    other = Client()
    sign_in_there(other, provider, "mina")
    assert is_in(other)
    client.post(reverse("oidc_disconnect"))
    assert not SocialAccount.objects.exists()
    assert [each.to for each in mail.outbox] == [[trainee.email]] * 2


def test_an_account_of_somebody_else_is_not_connected(
    provider: Provider, trainee: User, coach: User, sign_in: SignIn
) -> None:
    linked(coach, provider, "mina")
    client = sign_in(trainee)
    address = left_for(client.post(reverse("oidc_connect")))  # type: ignore[arg-type]
    come_back(client, provider.signs_in(address, "mina"))
    assert SocialAccount.objects.get().user == coach
    client.post(reverse("oidc_disconnect"))
    assert SocialAccount.objects.get().user == coach


def test_without_a_password_an_account_stays_connected(provider: Provider, client: Client) -> None:
    sign_in_there(client, provider, "mina")
    url = reverse("oidc_disconnect")
    confirm(client, provider, client.post(url).headers["Location"])
    assert SocialAccount.objects.exists()


def confirm(client: Client, provider: Provider, url: str, sub: str = "mina") -> Any:
    """Sign in at the provider once more; return the page after the suspended act."""
    assert url.startswith(reverse("oidc_confirm"))
    form = {"next": client.get(url).context["onwards"]}
    address = left_for(client.post(reverse("oidc_confirm"), form))  # type: ignore[arg-type]
    question = question_of(address)
    assert (question["prompt"], question["max_age"]) == ("login", "0")
    answer = come_back(client, provider.signs_in(address, sub))
    if answer.status_code == 302:
        return client.get(answer.headers["Location"])
    return answer


def test_an_irreversible_act_asks_a_person_without_a_password_at_the_provider(
    provider: Provider, client: Client
) -> None:
    sign_in_there(client, provider, "mina")
    url = reverse("portal:erase")
    asked = client.post(url, {"confirm": "erase"}).headers["Location"]
    # The provider says nothing, then that it was an hour ago, then somebody else signs in there.
    for auth_time in (None, int(time.time()) - 3600):
        provider.know("mina", email=NEW, auth_time=auth_time)
        assert confirm(client, provider, asked).context["problem"] == "earlier"
    provider.know("mina", email=NEW)
    provider.know("lea", email="lea@uni.example", email_verified=True)
    assert confirm(client, provider, asked, "lea").context["problem"] == "other"
    assert client.get(reverse("oidc_confirmed"), {"next": url}).status_code == 302
    assert User.objects.filter(email=NEW).exists()
    page = confirm(client, provider, asked)
    assert page.status_code == 200
    assert not User.objects.filter(email=NEW).exists()


def test_a_passkey_is_added_after_confirming_at_the_provider(
    provider: Provider, client: Client
) -> None:
    sign_in_there(client, provider, "mina")
    url = reverse("mfa_add_webauthn")
    page = confirm(client, provider, client.get(url).headers["Location"])
    assert page.headers["Location"] == url
    assert client.get(url).status_code == 200


# --- attacks


def refused(client: Client, answer: Any) -> None:
    assert answer.status_code == 401
    assert not is_in(client)
    assert not SocialAccount.objects.exists()
    assert not User.objects.filter(email=NEW).exists()


def arrival(client: Client, provider: Provider, sub: str = "mina") -> str:
    return provider.signs_in(left_for(client.post(reverse("oidc_sign_in"))), sub)  # type: ignore[arg-type]


@pytest.mark.parametrize("state", ["", "another-state"])
def test_an_answer_with_a_wrong_state_is_refused(
    state: str, provider: Provider, client: Client
) -> None:
    code = question_of(arrival(client, provider))["code"]
    refused(client, client.get(reverse("oidc_callback"), {"code": code, "state": state}))
    assert provider.received == []


def test_an_answer_in_another_browser_is_refused(provider: Provider, client: Client) -> None:
    location = arrival(Client(), provider)
    client.post(reverse("oidc_sign_in"))
    refused(client, come_back(client, location))


def test_an_answer_works_once(provider: Provider, client: Client) -> None:
    location = arrival(client, provider)
    come_back(client, location)
    assert is_in(client)
    # The state is used up; with a state of another question, the code is.
    assert come_back(client, location).status_code == 401
    other = Client()
    fresh = question_of(left_for(other.post(reverse("oidc_sign_in"))))["state"]  # type: ignore[arg-type]
    code = question_of(location)["code"]
    answer = other.get(reverse("oidc_callback"), {"code": code, "state": fresh})
    assert answer.status_code == 401
    assert not is_in(other)


def test_a_code_of_another_question_is_refused(provider: Provider, client: Client) -> None:
    """Somebody's stolen code, with a valid state of the attacker: the nonce does not fit."""
    stolen = question_of(arrival(Client(), provider))["code"]
    own = question_of(left_for(client.post(reverse("oidc_sign_in"))))["state"]  # type: ignore[arg-type]
    refused(client, client.get(reverse("oidc_callback"), {"code": stolen, "state": own}))


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://evil.example"},
        {"aud": ["another-site"]},
        {"aud": ["rostrum", "another-site"], "azp": "another-site"},
        {"nonce": "another"},
        {"exp": 1},
        {"sub": "ana"},
    ],
    ids="-".join,
)
def test_an_id_token_that_says_something_else_is_refused(
    changed: dict[str, Any],
    provider: Provider,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The provider signs it rightly: only its claims are for something else."""
    signed = of_provider.OpenIDCode.process_token

    def process(grant: Any, *args: Any) -> dict[str, Any]:
        token: dict[str, Any] = signed(grant, *args)
        claims = jwt.decode(token["id_token"], options={"verify_signature": False})
        key = of_provider.storage.jwk.get_private_key()
        header = jwt.get_unverified_header(token["id_token"])
        token["id_token"] = jwt.encode({**claims, **changed}, key, "RS256", headers=header)
        return token

    monkeypatch.setattr(of_provider.OpenIDCode, "process_token", process)
    refused(client, come_back(client, arrival(client, provider)))


@pytest.mark.parametrize("algorithm", ["none", "HS256", "RS256"])
def test_an_id_token_that_the_provider_did_not_sign_is_refused(
    algorithm: str, provider: Provider, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    key = {"none": None, "HS256": "not a secret", "RS256": own}[algorithm]
    signed = of_provider.OpenIDCode.process_token

    def process(grant: Any, *args: Any) -> dict[str, Any]:
        token: dict[str, Any] = signed(grant, *args)
        claims = jwt.decode(token["id_token"], options={"verify_signature": False})
        kid = jwt.get_unverified_header(token["id_token"]).get("kid")
        headers = {"kid": kid} if kid else None
        token["id_token"] = jwt.encode(claims, key, algorithm, headers=headers)  # type: ignore[arg-type]
        return token

    monkeypatch.setattr(of_provider.OpenIDCode, "process_token", process)
    refused(client, come_back(client, arrival(client, provider)))


def test_a_provider_that_calls_itself_something_else_is_refused(
    provider: Provider, client: Client, settings: Settings
) -> None:
    settings.OIDC_ISSUER = f"{provider.issuer}/"
    refused(client, client.post(reverse("oidc_sign_in")))


def test_an_answer_of_another_provider_is_refused(provider: Provider, client: Client) -> None:
    refused(client, come_back(client, f"{arrival(client, provider)}&iss=https://evil.example"))


def test_a_provider_that_does_not_answer_is_said(
    provider: Provider, client: Client, settings: Settings
) -> None:
    settings.OIDC_ISSUER = "http://localhost:9"
    refused(client, client.post(reverse("oidc_sign_in")))


@pytest.mark.parametrize(("verified", "why"), [(True, "known"), (False, "unverified")])
def test_the_address_of_another_account_opens_nothing(
    verified: bool, why: str, provider: Provider, client: Client, trainee: User
) -> None:
    provider.know("evil", email=trainee.email.upper(), email_verified=verified)
    page = sign_in_there(client, provider, "evil")
    assert (page.status_code, page.context["why"]) == (403, why)  # type: ignore[attr-defined]
    assert not is_in(client)
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("claims", [{"email": NEW}, {"email": NEW, "email_verified": False}, {}])
def test_an_unverified_address_gets_no_account(
    claims: dict[str, Any], provider: Provider, client: Client
) -> None:
    provider.know("mina", **claims)
    page = sign_in_there(client, provider, "mina")
    assert (page.status_code, page.context["why"]) == (403, "unverified")  # type: ignore[attr-defined]
    assert not User.objects.filter(email=NEW).exists()


@pytest.mark.parametrize("onwards", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_nobody_is_led_to_another_site(onwards: str, provider: Provider, client: Client) -> None:
    answer = sign_in_there(client, provider, "mina", next=onwards)
    assert answer.headers["Location"].startswith("/")
    assert "evil" not in answer.headers["Location"]
    assert is_in(client)


def test_a_sign_in_by_the_institution_confirms_no_act(
    provider: Provider, client: Client, trainee: User
) -> None:
    """The provider may have asked for nothing, so the password is asked at once."""
    linked(trainee, provider, "mina")
    sign_in_there(client, provider, "mina")
    answer = client.post(reverse("portal:erase"), {"confirm": "erase"})
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert User.objects.filter(pk=trainee.pk).exists()


def test_another_person_cannot_confirm_or_connect_from_outside(client: Client) -> None:
    for name in ("oidc_connect", "oidc_disconnect", "oidc_confirm"):
        assert client.post(reverse(name)).status_code == 302
    assert client.get(reverse("oidc_connect")).status_code == 405


def test_a_csrf_token_is_needed_to_leave(provider: Provider) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("oidc_sign_in")).status_code == 403
    assert client.get(reverse("oidc_sign_in")).headers["Location"] == reverse("account_login")
