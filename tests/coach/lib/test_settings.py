"""What the environment makes of the settings that keep people safe."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.test import Client, override_settings

from coach.accounts.models import User
from tests.coach.factories import PASSWORD

_ASK = "from coach import settings as s; print(s.EMAIL_BACKEND, s.ALLAUTH_TRUSTED_PROXY_COUNT)"


def settings_in(**environment: str) -> list[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ROSTRUM_", "EMAIL_"))}
    answer = subprocess.run(
        [sys.executable, "-c", _ASK],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return answer.stdout.split()


def test_reset_links_are_printed_where_one_tries_it_out_and_never_in_production() -> None:
    assert settings_in() == ["django.core.mail.backends.console.EmailBackend", "0"]
    production = {"ROSTRUM_PRODUCTION": "True", "ROSTRUM_HTTPS": "True", "SECRET_KEY": "x"}
    assert settings_in(**production) == ["django.core.mail.backends.smtp.EmailBackend", "1"]


@pytest.mark.parametrize(("proxies", "status"), [(1, 302), (0, 200)])
def test_who_guesses_behind_a_proxy_locks_nobody_else_out(
    proxies: int, status: int, trainee: User
) -> None:
    guesser = {"x-forwarded-for": f"203.0.113.{proxies}"}
    other = {"x-forwarded-for": f"198.51.100.{proxies}"}
    url = "/accounts/login/"
    with override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=proxies):
        for guess in range(11):
            form = {"login": f"nobody{guess}@example.org", "password": "x"}
            Client().post(url, form, headers=guesser, REMOTE_ADDR=f"192.0.2.{proxies}")
        form = {"login": trainee.email, "password": PASSWORD}
        answer = Client().post(url, form, headers=other, REMOTE_ADDR=f"192.0.2.{proxies}")
    assert answer.status_code == status
