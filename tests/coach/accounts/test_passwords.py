"""Choosing a password: its rules stand there before somebody breaks one, tied to their field."""

from __future__ import annotations

import re

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coach.accounts.invitations import make_link
from coach.accounts.models import User
from coach.accounts.passwords import password_requirements
from coach.audit.models import Entry
from tests.coach.conftest import SignIn

CHOSEN = "quite-a-new-passphrase"
RULES = (
    "At least 10 characters. Do not use only digits, your name, your email address or a "
    "common password."
)


def rules_read_with_the_field(page: str) -> str:
    first = re.search(r'<input type="password" name="password1"[^>]*>', page)
    assert first
    assert 'aria-describedby="id_password1_helptext"' in first[0]
    assert "placeholder" not in first[0]
    return page.partition('id="id_password1_helptext">')[2].partition("</p>")[0]


def test_who_is_invited_reads_what_the_password_must_be(trainee: User) -> None:
    link = make_link(person=trainee, site="", actor=None)
    page = Client().get(link, follow=True).content.decode()
    assert rules_read_with_the_field(page) == RULES == password_requirements()
    assert ">New password</label>" in page
    assert ">Confirm password</label>" in page


def test_who_changes_theirs_reads_the_same(trainee: User, sign_in: SignIn) -> None:
    page = sign_in(trainee).get(reverse("account_change_password")).content.decode()
    assert rules_read_with_the_field(page) == RULES
    assert ">Current password</label>" in page


def choose(link: str, client: Client) -> HttpResponse:
    form = client.get(link, follow=True).redirect_chain[-1][0]
    return client.post(form, {"password1": CHOSEN, "password2": CHOSEN}, follow=True)


def test_who_chose_a_password_under_a_link_is_signed_in_at_once(trainee: User) -> None:
    client = Client()
    page = choose(make_link(person=trainee, site="", actor=None), client).content.decode()
    assert page.count("Password saved.") == 1
    assert client.get(reverse("portal:privacy")).status_code == 200
    signed_in = Entry.objects.filter(action="accounts.signed_in")
    assert [(entry.actor_id, entry.object_id) for entry in signed_in] == [
        (trainee.pk, str(trainee.pk))
    ]


def test_other_sign_ins_of_that_person_end(trainee: User, sign_in: SignIn) -> None:
    elsewhere = sign_in(trainee)
    choose(make_link(person=trainee, site="", actor=None), Client())
    assert elsewhere.get(reverse("portal:privacy")).status_code == 302


def test_whoever_was_signed_in_with_the_browser_no_longer_is(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    client = sign_in(coach)
    choose(make_link(person=trainee, site="", actor=None), client)
    assert client.session["_auth_user_id"] == str(trainee.pk)


def test_a_closed_account_stays_closed_and_says_so(trainee: User) -> None:
    link = make_link(person=trainee, site="", actor=None)
    User.objects.filter(pk=trainee.pk).update(is_active=False)
    client = Client()
    assert "<h1>This account is closed</h1>" in choose(link, client).content.decode()
    assert "_auth_user_id" not in client.session
    assert not Entry.objects.filter(action="accounts.signed_in").exists()
