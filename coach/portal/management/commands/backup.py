"""`manage.py backup FOLDER`: back up the database and the recordings into a folder."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pyrage
from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, close_old_connections
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.lib.terminal import TranslatedCommand
from coach.portal.backups.archive import BackupDamaged, Recipients, damaged_in
from coach.portal.backups.services import BackupProblem, NotABackupFolder, make_backup
from coach.storage import StorageUnavailable

_KEEP = 14
"""Backups that stay in the folder (rule of thumb: two weeks of nights)."""
_HOUR = 3600


class Command(TranslatedCommand):
    """Make a backup, encrypted if there is a public key, and check what was written."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Backs up the database and the recordings into a folder, and checks what it wrote."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the folder, the public key and the number of backups."""
        parser.add_argument("folder", type=Path, help=_("the folder of all backups"))
        parser.add_argument(
            "--recipient",
            default=settings.BACKUP_RECIPIENT,
            help=_("the public key (age1…) that encrypts the backup"),
        )
        parser.add_argument("--keep", type=int, default=_KEEP, help=_("backups to keep"))
        parser.add_argument(
            "--every", type=float, metavar=_("HOURS"), help=_("makes one again after these hours")
        )

    def handle(self, **options: Any) -> None:
        """Make a backup and print its folder, or go on making them; earlier ones stay.

        Raises CommandError. With `--every` a failure is printed, and the next one is tried.
        """
        if options["keep"] < 1:
            raise CommandError(_("Keep at least one backup."))
        while options["every"] is not None:
            try:
                self._back_up(**options)
            except CommandError as problem:
                self.stderr.write(str(problem))
            close_old_connections()
            time.sleep(options["every"] * _HOUR)
        self._back_up(**options)

    def _back_up(self, *, folder: Path, recipient: str, keep: int, **_options: Any) -> None:
        try:
            backup = make_backup(
                folder, recipients=_recipients(recipient), keep=keep, tell=self.stdout.write
            )
        except NotABackupFolder:
            words = _("%(folder)s holds other files. Choose an empty folder; nothing was changed.")
            raise CommandError(words % {"folder": folder}) from None
        except (BackupProblem, BackupDamaged, DatabaseError, OSError, StorageUnavailable) as error:
            words = _("The backup was not finished; the ones before are unchanged: %(problem)s")
            raise CommandError(words % {"problem": error}) from error
        for damaged in damaged_in(folder):
            words = _("%(folder)s is damaged. Until you remove it, no older backup is deleted.")
            self.stderr.write(words % {"folder": damaged})
        for name in backup.manifest.missing:
            self.stderr.write(_("%(file)s is not there") % {"file": name})
        if not backup.manifest.is_encrypted:
            words = _("Not encrypted. Anyone who can read this folder can play the recordings.")
            self.stderr.write(words)
        self.stdout.write(str(backup.folder))


def _recipients(key: str) -> Recipients:
    """Return the public key, if there is one. Raises CommandError."""
    try:
        return [pyrage.x25519.Recipient.from_str(key)] if key else ()
    except pyrage.RecipientError as problem:
        raise CommandError(_("This is not a public key of age: it begins with age1.")) from problem
