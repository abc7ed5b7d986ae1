"""Choosing a password: its rules stand there before somebody breaks one, tied to their field."""

from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from coach.accounts.invitations import make_link
from coach.accounts.models import User
from coach.accounts.passwords import what_a_password_must_be
from tests.coach.conftest import SignIn

RULES = (
    "At least 10 characters. Not digits alone, not your name or address, and none that many "
    "people use."
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
    assert rules_read_with_the_field(page) == RULES == what_a_password_must_be()
    assert ">New password</label>" in page
    assert ">The same once more</label>" in page


def test_who_changes_theirs_reads_the_same(trainee: User, sign_in: SignIn) -> None:
    page = sign_in(trainee).get(reverse("account_change_password")).content.decode()
    assert rules_read_with_the_field(page) == RULES
    assert ">The password until now</label>" in page
