"""New secrets: everything that the former key signed or encrypted still opens."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django.fixtures import Settings

from coach.accounts.models import User
from coach.accounts.second_factor.rotation import reencrypt_second_factors
from coach.webhooks.keys import secret_of
from coach.webhooks.models import WebhookEndpoint
from coach.webhooks.services import add_endpoint

FORMER = "a-former-key-of-fifty-characters-or-more-0123456789-abc"
PLAIN = "ALLOWED_HOSTS=example.org\n# SECRET_KEY=no\n"


@pytest.fixture
def file(tmp_path: Path, settings: Settings) -> Path:
    settings.SECRET_KEY = FORMER
    path = tmp_path / ".env"
    path.write_text(f"{PLAIN}SECRET_KEY={FORMER}\n")
    path.chmod(0o600)
    return path


def values(file: Path) -> dict[str, str]:
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def rotate(*arguments: str) -> None:
    call_command("rotate_secrets", *arguments, stdout=StringIO())


@pytest.mark.django_db
def test_the_former_key_stays_valid_and_names_takes_in_exports(file: Path) -> None:
    rotate(str(file))
    written = values(file)
    assert len(written["SECRET_KEY"]) >= 50
    assert written["SECRET_KEY"] != FORMER
    assert written["SECRET_KEY_FALLBACKS"] == written["ROSTRUM_PSEUDONYM_KEY"] == FORMER
    assert file.read_text().startswith(PLAIN)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in file.parent.iterdir()] == [".env"]


@pytest.mark.django_db
def test_a_second_replacement_keeps_the_first_pseudonyms(file: Path, settings: Settings) -> None:
    rotate(str(file))
    second = values(file)["SECRET_KEY"]
    settings.SECRET_KEY = second
    rotate(str(file))
    assert values(file)["SECRET_KEY_FALLBACKS"] == f"{second},{FORMER}"
    assert values(file)["ROSTRUM_PSEUDONYM_KEY"] == FORMER


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["SECRET_KEY=another\n", "SECRET_KEY_FILE=/run/key\n", ""])
def test_the_file_of_another_site_is_left_alone(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(CommandError):
        rotate(str(file))
    assert file.read_text() == text


@pytest.mark.django_db
def test_the_database_gets_the_password_that_the_file_holds(
    file: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stored() -> str | None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT rolpassword FROM pg_authid WHERE rolname = current_user")
            found: tuple[str | None] = cursor.fetchone()
            return found[0]

    monkeypatch.setitem(settings.DATABASES["default"], "PASSWORD", "old-one")
    with pytest.raises(CommandError):
        rotate(str(file), "--database")  # the file holds no password
    with file.open("a") as env:
        env.write("POSTGRES_PASSWORD=old-one\nDATABASE_URL=postgresql://r:old-one@db/r\n")
    before = stored()
    rotate(str(file), "--database")
    written = values(file)
    assert written["POSTGRES_PASSWORD"] not in {"", "old-one"}
    assert written["DATABASE_URL"] == f"postgresql://r:{written['POSTGRES_PASSWORD']}@db/r"
    after = stored()
    assert after
    assert after.startswith("SCRAM-SHA-256$")
    assert after != before


def test_the_key_of_webhooks_is_replaced_if_the_file_holds_it(
    file: Path, settings: Settings, administrator: User
) -> None:
    settings.WEBHOOKS_KEY = "a key of webhooks, long enough"
    add_endpoint(url="https://lms.example.org/", events=[], actor=administrator)
    secret = secret_of(WebhookEndpoint.objects.get())
    rotate(str(file))
    assert secret_of(WebhookEndpoint.objects.get()) == secret  # the key is in another place
    file.write_text(f"SECRET_KEY={FORMER}\nROSTRUM_WEBHOOKS_KEY={settings.WEBHOOKS_KEY}\n")
    rotate(str(file))
    settings.WEBHOOKS_KEY = values(file)["ROSTRUM_WEBHOOKS_KEY"]
    assert settings.WEBHOOKS_KEY != "a key of webhooks, long enough"
    assert secret_of(WebhookEndpoint.objects.get()) == secret


def test_second_factors_open_once_the_former_key_is_forgotten(
    trainee: User, settings: Settings
) -> None:
    settings.SECRET_KEY = FORMER
    TOTP.activate(trainee, "JBSWY3DPEHPK3PXP")
    codes = RecoveryCodes.activate(trainee).get_unused_codes()
    assert reencrypt_second_factors(key="the-next-key") == 2
    settings.SECRET_KEY = "the-next-key"
    app = Authenticator.objects.get(user=trainee, type=Authenticator.Type.TOTP)
    assert get_adapter().decrypt(app.data["secret"]) == "JBSWY3DPEHPK3PXP"
    kept = Authenticator.objects.get(user=trainee, type=Authenticator.Type.RECOVERY_CODES)
    assert RecoveryCodes(kept).get_unused_codes() == codes
