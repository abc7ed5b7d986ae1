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
SITE = "https://rostrum.example.org"


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


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"SECRET_KEY_FILE": "/nowhere/key"}, "SECRET_KEY_FILE cannot be read"),
        ({"DATABASE_URL": "postgresql://rostrum:se/cret@db/rostrum"}, "DATABASE_URL must read"),
        ({"DATABASE_URL": "sqlite:///se/cret"}, "DATABASE_URL must read"),
        ({"ALLOWED_HOSTS": "https://rostrum.example.org"}, "ALLOWED_HOSTS holds names alone"),
        ({"ALLOWED_HOSTS": "rostrum.example.org:8000"}, "ALLOWED_HOSTS holds names alone"),
        ({"CSRF_TRUSTED_ORIGINS": "rostrum.example.org"}, "CSRF_TRUSTED_ORIGINS holds addresses"),
        ({"ROSTRUM_ADDRESS": "rostrum.example.org"}, "ROSTRUM_ADDRESS holds addresses"),
        ({"ROSTRUM_PROCESS": "wroker"}, "ROSTRUM_PROCESS must be one of web, worker"),
        ({"ROSTRUM_HTTPS": "yes"}, "ROSTRUM_HTTPS must be True or False"),
        ({"ROSTRUM_MAX_MINUTES": "1h"}, "ROSTRUM_MAX_MINUTES must be a whole number"),
        ({"ROSTRUM_MAX_MINUTES": "0"}, "ROSTRUM_MAX_MINUTES must be 1 or more"),
        ({"ROSTRUM_KEEP_MEDIA_DAYS": "-1"}, "ROSTRUM_KEEP_MEDIA_DAYS must be 0 or more"),
        ({"ROSTRUM_KEEP_MEDIA_DAYS": "999999"}, "ROSTRUM_KEEP_MEDIA_DAYS must be 36500 or less"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be one of DEBUG"),
    ],
)
def test_what_is_written_wrongly_is_named_with_what_it_should_be(
    wrong: dict[str, str], said: str
) -> None:
    done = start(**{**SAFE, **wrong})
    assert f"ImproperlyConfigured: {said}" in done.stderr.splitlines()[-1]
    assert "se/cret" not in done.stderr


def test_what_is_left_empty_is_as_if_it_were_not_there() -> None:
    names = ("ROSTRUM_PROCESS", "ROSTRUM_CUSTODY", "LOG_LEVEL", "ROSTRUM_MAX_MINUTES")
    environment = {**os.environ, **SAFE, **dict.fromkeys(names, "")}
    done = subprocess.run(
        [sys.executable, "-c", "import coach.settings"], env=environment, check=False
    )
    assert done.returncode == 0


def test_an_address_may_end_with_a_slash() -> None:
    ask = "import coach.settings as s; print(s.CSRF_TRUSTED_ORIGINS, s.SITE_ADDRESS)"
    answer = start("-c", ask, **SAFE, CSRF_TRUSTED_ORIGINS="https://rostrum.example.org/")
    assert answer.stdout.split() == ["['https://rostrum.example.org']", SITE]


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
