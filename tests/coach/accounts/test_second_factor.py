"""A second factor: set up, asked for, required by role, told to its owner, and reset."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from coach.accounts.models import Language, Role, User
from coach.audit.models import Entry
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

LOGIN = "/accounts/login/"


def code_of(secret: str) -> str:
    """Return the code that an authenticator app shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def again(client: Client) -> Client:
    """Return the client after the password was asked again."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


@pytest.fixture
def secret(trainee: User) -> str:
    """The key of Ana's authenticator app, set up on the page."""
    client = Client()
    client.post(LOGIN, {"login": trainee.email, "password": PASSWORD})
    url = reverse("mfa_activate_totp")
    again(client)
    found = re.search(r"<code[^>]*>([A-Z2-7]+)<", client.get(url).content.decode())
    assert found
    answer = client.post(url, {"code": code_of(found[1])})
    assert answer.headers["Location"] == reverse("mfa_view_recovery_codes")
    return found[1]


def with_password(person: User) -> Client:
    client = Client()
    form = {"login": person.email, "password": PASSWORD}
    answer = client.post(LOGIN, form)
    assert answer.headers["Location"].startswith(reverse("mfa_authenticate"))
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("portal:privacy")).status_code == 200


def test_after_the_password_a_code_of_the_app_is_asked(trainee: User, secret: str) -> None:
    client = with_password(trainee)
    assert not is_in(client)
    page = client.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert page.status_code == 200
    assert not is_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert is_in(client)
    failed = Entry.objects.filter(action="accounts.sign_in_failed")
    assert failed.count() == 1


def test_a_recovery_code_lets_in_once(trainee: User, secret: str) -> None:
    codes = Authenticator.objects.get(user=trainee, type="recovery_codes").wrap()
    code = codes.get_unused_codes()[0]
    for expected in (True, False):
        client = with_password(trainee)
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert is_in(client) is expected


def test_its_secret_is_kept_encrypted_and_survives_a_new_key(
    trainee: User, secret: str, settings: Settings
) -> None:
    app = Authenticator.objects.get(user=trainee, type="totp")
    assert secret not in str(app.data)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "a new key " * 6
    client = with_password(trainee)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert is_in(client)
    settings.SECRET_KEY_FALLBACKS = []
    client = with_password(trainee)
    assert client.post(reverse("mfa_authenticate"), {"code": code_of(secret)}).status_code == 200
    assert not is_in(client)


def test_its_owner_is_told_by_email_and_it_is_logged(
    transactional_db: None, trainee: User, secret: str
) -> None:
    assert {tuple(each.to) for each in mail.outbox} == {(trainee.email,)}
    kinds = Entry.objects.filter(action="accounts.second_factor_added").values_list(
        "detail__second_factor", flat=True
    )
    assert set(kinds) == {"totp", "recovery_codes"}
    User.objects.filter(pk=trainee.pk).update(language=Language.FRENCH)
    client = with_password(trainee)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    mail.outbox.clear()
    again(client).post(reverse("mfa_deactivate_totp"))
    assert "L’application d’authentification a été retirée." in mail.outbox[-1].body
    assert not Authenticator.objects.filter(user=trainee).exists()


@pytest.mark.parametrize("is_htmx", [False, True])
def test_a_role_that_needs_one_is_led_to_its_page(
    is_htmx: bool, coach: User, trainee: User, sign_in: SignIn, settings: Settings
) -> None:
    settings.SECOND_FACTOR_ROLES = frozenset({Role.COACH})
    assert is_in(sign_in(trainee))
    client, page = sign_in(coach), reverse("mfa_index")
    answer = client.get("/review/", headers={"HX-Request": "true"} if is_htmx else {})
    assert answer.headers["HX-Redirect" if is_htmx else "Location"] == page
    assert client.post(reverse("portal:end_sign_ins")).headers["Location"] == page
    assert 'class="notice notice--attention"' in client.get(page).content.decode()
    assert (
        client.get(reverse("mfa_add_webauthn"))
        .headers["Location"]
        .startswith(reverse("account_reauthenticate"))
    )
    Authenticator.objects.create(user=coach, type="webauthn", data={"name": "Key"})
    assert client.get("/review/").status_code == 200


def test_an_administrator_resets_it_and_nobody_else_does(
    trainee: User, coach: User, secret: str, administrator: User, sign_in: SignIn
) -> None:
    inside = with_password(trainee)
    inside.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    form = {"people": [trainee.pk], "act": "reset", "confirmed": "yes"}
    url = reverse("portal:act_on_people")
    assert sign_in(coach).post(url, form).status_code in {403, 404}
    assert Authenticator.objects.filter(user=trainee).exists()
    sign_in(administrator).post(url, form)
    assert not Authenticator.objects.filter(user=trainee).exists()
    assert not is_in(inside)
    entry = Entry.objects.get(action="accounts.second_factor_reset")
    assert entry.actor == administrator


def test_the_server_resets_it_for_the_last_administrator(trainee: User, secret: str) -> None:
    call_command("reset_second_factor", trainee.email)
    assert not Authenticator.objects.filter(user=trainee).exists()


def test_another_person_changes_nothing_of_it(
    trainee: User, coach: User, secret: str, sign_in: SignIn
) -> None:
    key = Authenticator.objects.create(user=trainee, type="webauthn", data={"name": "Key"})
    stranger = again(sign_in(coach))
    for name in ("mfa_remove_webauthn", "mfa_edit_webauthn"):
        assert stranger.post(reverse(name, args=[key.pk]), {"name": "Mine"}).status_code == 404
    assert stranger.get(reverse("mfa_view_recovery_codes")).status_code == 404
    assert stranger.get(reverse("mfa_download_recovery_codes")).status_code == 404
