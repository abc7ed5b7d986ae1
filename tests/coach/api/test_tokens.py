"""Access tokens: made on a page, shown once, stored as a hash, ended at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import User
from coach.api.models import ApiToken
from coach.api.scopes import Scope
from coach.api.services import MOST_TOKENS, digest_of
from coach.audit.models import Entry
from coach.portal.personal.own_data import own_data
from tests.coach.api.program import Program
from tests.coach.conftest import SignIn
from tests.coach.factories import PASSWORD

PAGE = "/accounts/tokens/"
WANTED = {"name": "Course statistics", "scopes": ["takes:read"], "days": "30"}


def test_a_token_is_shown_once_and_works(trainee: User, sign_in: SignIn) -> None:
    browser = sign_in(trainee)
    made = browser.post(PAGE, WANTED).context["made"]
    token = ApiToken.objects.get()
    assert token.digest == digest_of(made)
    assert made not in browser.get(PAGE).content.decode()
    assert Entry.objects.filter(action="api.token_made", actor=trainee).count() == 1
    program = Client(headers={"Authorization": f"Bearer {made}"})
    said = program.get("/api/v1/me").json()
    assert (said["name"], said["scopes"]) == ("Ana", ["takes:read"])
    token.refresh_from_db()
    assert token.used_at is not None


def test_an_open_page_makes_no_token_without_the_password(trainee: User) -> None:
    browser = Client()
    browser.force_login(trainee)
    answer = browser.post(PAGE, WANTED)
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()
    # The request goes on once the password is given.
    browser.post(answer.headers["Location"], {"password": PASSWORD}, follow=True)
    assert ApiToken.objects.count() == 1


def test_a_page_that_is_sent_twice_makes_one_token(trainee: User, sign_in: SignIn) -> None:
    browser = sign_in(trainee)
    sent = WANTED | {"token": "6a1c26c5-6ef0-4f0b-8d4c-6c5cf2a5b1c0"}
    assert browser.post(PAGE, sent).context["made"]
    assert browser.post(PAGE, sent).status_code == 302
    assert ApiToken.objects.count() == 1


def test_only_scopes_of_ones_roles_are_offered(trainee: User, sign_in: SignIn) -> None:
    answer = sign_in(trainee).post(PAGE, {**WANTED, "scopes": ["research:read"]})
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_a_token_ends_when_it_is_revoked(trainee: User, sign_in: SignIn) -> None:
    program = Program(trainee)
    assert program.get("me").status_code == 200
    sign_in(trainee).post(reverse("api:revoke_token", args=[program.token.pk]))
    answer = program.get("me")
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert Entry.objects.filter(action="api.token_revoked").count() == 1


def test_strangers_neither_see_nor_revoke_it(
    trainee: User, stranger: User, sign_in: SignIn
) -> None:
    program = Program(trainee)
    other = sign_in(stranger)
    assert other.post(reverse("api:revoke_token", args=[program.token.pk])).status_code == 404
    assert "Mine" not in other.get(PAGE).content.decode()
    assert program.get("me").status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"ends_at": timezone.now() - timedelta(seconds=1)},
        {"digest": "0" * 64},
    ],
)
def test_a_token_that_ended_or_is_unknown_lets_nobody_in(
    trainee: User, change: dict[str, object]
) -> None:
    program = Program(trainee)
    ApiToken.objects.update(**change)
    assert program.get("me").status_code == 401


def test_it_lets_nobody_in_whose_account_is_closed(trainee: User) -> None:
    program = Program(trainee)
    User.objects.filter(pk=trainee.pk).update(is_active=False)
    assert program.get("me").status_code == 401


def test_it_lets_nobody_in_who_still_needs_a_second_factor(trainee: User) -> None:
    program = Program(trainee)
    with override_settings(SECOND_FACTOR_ROLES=frozenset({"trainee"})):
        assert program.get("me").status_code == 401


def test_a_session_cookie_counts_for_nothing(trainee: User, sign_in: SignIn) -> None:
    browser = sign_in(trainee)
    answer = browser.get("/api/v1/me")
    assert answer.status_code == 401
    assert not answer.cookies
    assert browser.get(PAGE).status_code == 200


def test_a_site_can_do_without_the_api(trainee: User, sign_in: SignIn) -> None:
    program = Program(trainee)
    with override_settings(API=False):
        assert program.get("me").status_code == 404
        assert sign_in(trainee).get(PAGE).status_code == 404


def test_a_person_has_a_limited_number_of_tokens(trainee: User, sign_in: SignIn) -> None:
    for _number in range(MOST_TOKENS):
        Program(trainee)
    assert sign_in(trainee).post(PAGE, WANTED).status_code == 422
    assert ApiToken.objects.count() == MOST_TOKENS


def test_tokens_are_among_ones_data_without_their_hash(trainee: User) -> None:
    program = Program(trainee, [Scope.TAKES_READ])
    rows = own_data(trainee)["access_tokens"]
    assert [row["scopes"] for row in rows] == [["takes:read"]]
    assert program.token.digest not in str(rows)
