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


SAFE = {
    "ROSTRUM_PRODUCTION": "True",
    "ROSTRUM_HTTPS": "True",
    "SECRET_KEY": "a-key-of-this-test-that-is-long-enough-to-be-taken-0123456789",
    "DATABASE_URL": "postgresql://rostrum@localhost/rostrum",
    "ALLOWED_HOSTS": "rostrum.example.org",
}


def start(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ROSTRUM_", "EMAIL_"))}
    kept = {k: v for k, v in kept.items() if k not in {*SAFE, "SECRET_KEY_FILE"}}
    command = command or ("-c", "import coach.settings")
    return subprocess.run(
        [sys.executable, *command],
        env={**kept, **{name: value for name, value in environment.items() if value}},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"DEBUG": "True"}, "DEBUG"),
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "x"}, "50 characters"),
        ({"SECRET_KEY": "x" * 60}, "50 characters"),
        ({"DATABASE_URL": ""}, "DATABASE_URL"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
        ({"EMAIL_USE_TLS": "True", "EMAIL_USE_SSL": "True"}, "not both"),
    ],
)
def test_an_unsafe_production_does_not_start(wrong: dict[str, str], said: str) -> None:
    done = start(**{**SAFE, **wrong})
    assert done.returncode
    assert "ImproperlyConfigured" in done.stderr
    assert said in done.stderr.splitlines()[-1]


def test_a_safe_production_starts_and_djangos_own_check_has_nothing_to_say() -> None:
    done = start("manage.py", "check", "--deploy", "--fail-level", "WARNING", **SAFE)
    assert done.returncode == 0, done.stderr


def test_a_worker_in_production_needs_no_key_and_no_host() -> None:
    worker = {**SAFE, "SECRET_KEY": "", "ALLOWED_HOSTS": "", "ROSTRUM_PROCESS": "worker"}
    assert start(**worker).returncode == 0


def test_a_changed_key_signs_nobody_out_and_renames_nothing_in_exports() -> None:
    former, ask = SAFE["SECRET_KEY"], "print(s.SECRET_KEY_FALLBACKS, s.PSEUDONYM_KEY)"
    changed = {
        **SAFE,
        "SECRET_KEY": former[::-1],
        "SECRET_KEY_FALLBACKS": former,
        "ROSTRUM_PSEUDONYM_KEY": former,
    }
    answer = start("-c", f"import coach.settings as s; {ask}", **changed)
    assert answer.stdout.split() == [str([former]), former]


def test_mail_goes_over_tls_and_not_for_ever() -> None:
    ask = "import coach.settings as s; print(s.EMAIL_USE_TLS, s.EMAIL_USE_SSL, s.EMAIL_TIMEOUT)"
    answer = start("-c", ask, **SAFE, EMAIL_USE_TLS="True")
    assert answer.stdout.split() == ["True", "False", "5"]


def test_reset_links_are_printed_where_one_tries_it_out_and_never_in_production() -> None:
    assert settings_in() == ["django.core.mail.backends.console.EmailBackend", "0"]
    assert settings_in(**SAFE) == ["coach.lib.mail.BesideEmailBackend", "1"]


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
