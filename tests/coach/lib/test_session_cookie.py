"""Session cookie: a late answer to a request of an ended session keeps the cookie of the new one.

A browser fetches the service worker and the offline page beside a form. If signing in replaces the
session meanwhile, the answer must not delete the new cookie.
"""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from coach.accounts.models import User
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["service_worker", "offline", "manifest"])
def test_an_answer_without_a_change_deletes_no_session_cookie(page: str) -> None:
    late = Client()
    late.cookies[settings.SESSION_COOKIE_NAME] = "replaced" * 4
    answer = late.get(reverse(f"portal:{page}"))
    assert answer.status_code == 200
    assert settings.SESSION_COOKIE_NAME not in answer.cookies


def test_signing_out_deletes_the_session_cookie(trainee: User, sign_in: SignIn) -> None:
    answer = sign_in(trainee).post(reverse("account_logout"))
    assert answer.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == 0
