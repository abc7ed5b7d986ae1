"""What the environment makes of the settings that keep people safe."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
import traceback
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from coach.accounts.models import User
from coach.environment import envbroker
from tests.coach.factories import PASSWORD
from tests.parts import ROOT

SAFE = {
    "ROSTRUM_PRODUCTION": "True",
    "ROSTRUM_HTTPS": "True",
    "SECRET_KEY": "a-key-of-this-test-that-is-long-enough-to-be-taken-0123456789",
    "DATABASE_URL": "postgresql://rostrum@localhost/rostrum",
    "ALLOWED_HOSTS": "rostrum.example.org",
}
SITE = "https://rostrum.example.org"


def start(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        env=told(environment),
        capture_output=True,
        text=True,
        check=False,
    )


def told(environment: dict[str, str]) -> dict[str, str]:
    """This environment on top of what has nothing to do with us."""
    ours = ("ROSTRUM_", "EMAIL_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    kept = {name: value for name, value in kept.items() if name not in {*SAFE, "SECRET_KEY_FILE"}}
    return {**kept, **environment}


def settings_in(**environment: str) -> SimpleNamespace:
    """The settings as a process with this environment reads them, but for those of queues.

    Those of this process stay as they are.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", told(environment))
        return SimpleNamespace(**runpy.run_path(str(ROOT / "coach" / "settings.py")))


def test_an_unsafe_production_does_not_start() -> None:
    done = start("-c", "import coach.settings", **SAFE, DEBUG="True")
    assert done.returncode
    assert "ImproperlyConfigured" in done.stderr.splitlines()[-1]


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
def test_what_is_unsafe_in_production_is_named(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        settings_in(**{**SAFE, **wrong})


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
        ({"TIME_ZONE": "Paris"}, "TIME_ZONE must be the name of a time zone"),
        ({"TIME_ZONE": "Europe"}, "TIME_ZONE must be the name of a time zone"),
    ],
)
def test_what_is_written_wrongly_is_named_with_what_it_should_be(
    wrong: dict[str, str], said: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        settings_in(**{**SAFE, **wrong})
    assert str(refused.value).startswith(said)
    assert "se/cret" not in "".join(traceback.format_exception(refused.value))


def test_what_is_left_empty_is_as_if_it_were_not_there() -> None:
    names = ("ROSTRUM_PROCESS", "ROSTRUM_CUSTODY", "LOG_LEVEL", "ROSTRUM_MAX_MINUTES", "TIME_ZONE")
    left_empty, not_there = settings_in(**SAFE, **dict.fromkeys(names, "")), settings_in(**SAFE)
    for name in ("SIGNS", "CUSTODY", "LOGGING", "MAX_MINUTES", "TIME_ZONE"):
        assert getattr(left_empty, name) == getattr(not_there, name)


def test_an_address_may_end_with_a_slash() -> None:
    read = settings_in(**SAFE, CSRF_TRUSTED_ORIGINS="https://rostrum.example.org/")
    assert (read.CSRF_TRUSTED_ORIGINS, read.SITE_ADDRESS) == ([SITE], SITE)


def test_a_safe_production_starts_and_djangos_own_check_has_nothing_to_say() -> None:
    done = start("manage.py", "check", "--deploy", "--fail-level", "WARNING", **SAFE)
    assert done.returncode == 0, done.stderr


def test_a_worker_in_production_needs_no_key_and_no_host() -> None:
    worker = {**SAFE, "SECRET_KEY": "", "ALLOWED_HOSTS": "", "ROSTRUM_PROCESS": "worker"}
    assert not settings_in(**worker).SIGNS


def test_a_changed_key_signs_nobody_out_and_renames_nothing_in_exports() -> None:
    former = SAFE["SECRET_KEY"]
    changed = {
        **SAFE,
        "SECRET_KEY": former[::-1],
        "SECRET_KEY_FALLBACKS": former,
        "ROSTRUM_PSEUDONYM_KEY": former,
    }
    read = settings_in(**changed)
    fallbacks, pseudonym_key = read.SECRET_KEY_FALLBACKS, read.PSEUDONYM_KEY
    assert (fallbacks, pseudonym_key) == ([former], former)


def test_mail_goes_over_tls_and_not_for_ever() -> None:
    read = settings_in(**SAFE, EMAIL_USE_TLS="True")
    assert (read.EMAIL_USE_TLS, read.EMAIL_USE_SSL, read.EMAIL_TIMEOUT) == (True, False, 5)


def test_reset_links_are_printed_where_one_tries_it_out_and_never_in_production() -> None:
    tried, in_production = settings_in(), settings_in(**SAFE)
    assert tried.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend"
    assert tried.ALLAUTH_TRUSTED_PROXY_COUNT == 0
    assert in_production.EMAIL_BACKEND == "coach.lib.mail.BesideEmailBackend"
    assert in_production.ALLAUTH_TRUSTED_PROXY_COUNT == 1


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


@pytest.mark.parametrize(
    ("address", "is_safe"),
    [
        ("redis://valkey:6379/0", True),
        ("rediss://:secret@data:6379/0?ssl_cert_reqs=required&ssl_ca_certs=/ca.pem", True),
        ("rediss://:secret@data:6379/0", False),
        ("rediss://:secret@data:6379/0?ssl_cert_reqs=none", False),
    ],
)
def test_a_broker_with_tls_has_to_prove_who_it_is(
    address: str, is_safe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", address)
    if is_safe:
        assert envbroker("CELERY_BROKER_URL", default="") == address
        return
    with pytest.raises(ImproperlyConfigured, match="ssl_cert_reqs") as raised:
        envbroker("CELERY_BROKER_URL", default="")
    assert "secret" not in str(raised.value)
