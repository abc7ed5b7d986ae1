"""The welcome: once, for a trainee without a take."""

from __future__ import annotations

from django.urls import reverse

from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn

WELCOME, HOME = "/welcome/", "/"


def test_a_new_trainee_is_welcomed_once(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    assert client.get(HOME).headers["Location"] == WELCOME
    page = client.get(WELCOME)
    assert "microphone=(self)" in page.headers["Permissions-Policy"]
    assert reverse("feedback:record") in page.text
    assert client.get(HOME).headers["Location"] == reverse("feedback:takes")
    assert client.get(WELCOME).status_code == 200


def test_who_has_a_take_or_does_not_practise_is_not(
    take: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    assert sign_in(take.owner).get(HOME).headers["Location"] == reverse("feedback:takes")
    assert sign_in(coach).get(HOME).headers["Location"] == reverse("review:queue")
    assert sign_in(coach).get(WELCOME).status_code == 403
