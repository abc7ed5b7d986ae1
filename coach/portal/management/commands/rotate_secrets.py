"""`manage.py rotate_secrets ENV_FILE`: replace the secret key and the database password."""

from __future__ import annotations

import os
import re
import secrets
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from psycopg import sql

from coach.accounts.second_factor.rotation import reencrypt_second_factors
from coach.lib.files.private import private_file
from coach.lib.terminal import TranslatedCommand
from coach.webhooks.keys import reencrypt_secrets

_KEY, _FORMER, _PSEUDONYMS = "SECRET_KEY", "SECRET_KEY_FALLBACKS", "ROSTRUM_PSEUDONYM_KEY"
_WEBHOOKS = "ROSTRUM_WEBHOOKS_KEY"
_PASSWORD, _DATABASE = "POSTGRES_PASSWORD", "DATABASE_URL"
_CHARACTERS = 50
"""Random bytes of a key; Django's own keys have 50 characters (check security.W009)."""


class Command(TranslatedCommand):
    """Write new secrets into the file with the site's environment; a restart takes them in."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Replaces the secret key in a .env file. Sessions, links and second factors stay valid."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the file and the database password."""
        parser.add_argument("file", type=Path, help=_("the .env file of this site"))
        parser.add_argument(
            "--database", action="store_true", help=_("replaces the database password, too")
        )

    def handle(self, *, file: Path, database: bool, **_options: Any) -> None:
        """Replace the secrets, or nothing. Raises CommandError."""
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(str(error)) from error
        values = _values(text)
        _check(values, file)
        changes = _new_key(values)
        try:
            with transaction.atomic():
                if database:
                    changes |= _new_password(values)
                reencrypt_second_factors(key=changes[_KEY])
                if _WEBHOOKS in changes or settings.WEBHOOKS_KEY == settings.SECRET_KEY:
                    reencrypt_secrets(key=changes.get(_WEBHOOKS, changes[_KEY]))
                _replace(file.resolve(), _with(text, changes))
        except OSError as error:
            words = _("%(file)s could not be written, so nothing was changed: %(problem)s")
            raise CommandError(words % {"file": file, "problem": error}) from error
        self.stdout.write(_("Replaced: %(names)s.") % {"names": ", ".join(sorted(changes))})
        self.stdout.write(
            _("Restart the site now: docker compose up -d. Until then, codes of apps are refused.")
        )
        until = timezone.localdate() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
        words = _(
            "Remove the former key from %(setting)s after %(date)s, when no session needs it."
        )
        self.stdout.write(words % {"setting": _FORMER, "date": date_format(until)})


def _values(text: str) -> dict[str, str]:
    return {
        name: value.strip().strip("\"'")
        for name, value in re.findall(r"^([A-Z0-9_]+)=(.*)$", text, flags=re.MULTILINE)
    }


def _check(values: Mapping[str, str], file: Path) -> None:
    if values.get(f"{_KEY}_FILE"):
        words = _("%(setting)s names a file. Replace the key there by hand; nothing was changed.")
        raise CommandError(words % {"setting": f"{_KEY}_FILE"})
    if values.get(_KEY) != settings.SECRET_KEY:
        words = _("%(file)s does not hold the secret key of this site. Nothing was changed.")
        raise CommandError(words % {"file": file})


def _new_key(values: Mapping[str, str]) -> dict[str, str]:
    former = values[_KEY]
    older = values.get(_FORMER, "")
    changes = {
        _KEY: secrets.token_urlsafe(_CHARACTERS),
        _FORMER: ",".join(each for each in (former, older) if each),
    }
    if not values.get(_PSEUDONYMS) and not values.get(f"{_PSEUDONYMS}_FILE"):
        changes[_PSEUDONYMS] = former  # takes keep their pseudonyms in research exports
    if settings.WEBHOOKS_KEY and values.get(_WEBHOOKS) == settings.WEBHOOKS_KEY:
        changes[_WEBHOOKS] = secrets.token_urlsafe(_CHARACTERS)
    return changes


def _new_password(values: Mapping[str, str]) -> dict[str, str]:
    """Set a new password in the database, and return the changed values of the file.

    Raises CommandError if the file does not hold the present one.
    """
    former = str(settings.DATABASES["default"]["PASSWORD"])
    new = secrets.token_urlsafe(_CHARACTERS)
    changes = {}
    if former and values.get(_PASSWORD) == former:
        changes[_PASSWORD] = new
    if former and f":{former}@" in values.get(_DATABASE, ""):
        changes[_DATABASE] = values[_DATABASE].replace(f":{former}@", f":{new}@")
    if not changes:
        words = _("The file does not hold the database password of this site. Nothing was changed.")
        raise CommandError(words)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        user = cursor.fetchone()[0]
        # Encrypted here, so that no log of the server has the password.
        hashed = connection.connection.pgconn.encrypt_password(new.encode(), user.encode())
        statement = sql.SQL("ALTER ROLE CURRENT_USER PASSWORD {}").format(
            sql.Literal(hashed.decode())
        )
        cursor.execute(statement)
    return changes


def _with(text: str, changes: Mapping[str, str]) -> str:
    """Return the text of the file with other values; a name that is only a comment is added."""
    for name, value in changes.items():
        line = f"{name}={value}"
        pattern = rf"^{name}=.*$"
        if re.search(pattern, text, flags=re.MULTILINE):
            text = re.sub(pattern, line.replace("\\", r"\\"), text, flags=re.MULTILINE)
        else:
            text = f"{text.rstrip()}\n{line}\n"
    return text


def _replace(file: Path, text: str) -> None:
    """Write the whole file or none of it, with its owner. Raises OSError."""
    owner = file.stat()
    with private_file(file) as written:
        written.write(text.encode())
        os.fchown(written.fileno(), owner.st_uid, owner.st_gid)
