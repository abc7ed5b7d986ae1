"""`manage.py restore FOLDER`: check a backup, and restore it into a site without accounts."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pyrage
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.audit.services import record_act
from coach.lib.terminal import TranslatedCommand
from coach.portal.backups.archive import BackupDamaged, Identities, read_backup
from coach.portal.backups.services import BackupProblem, NotEmpty, check_backup, restore_backup
from coach.rehearsals.sweeping import verify_storage
from coach.storage import StorageUnavailable


class Command(TranslatedCommand):
    """Restore a backup, or only check it."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Checks every file of a backup, and restores it into a site without accounts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the backup's folder and the secret key."""
        parser.add_argument("folder", type=Path, help=_("the folder of one backup"))
        parser.add_argument(
            "--identity", type=Path, help=_("the file with the secret key (AGE-SECRET-KEY-1…)")
        )
        parser.add_argument("--check", action="store_true", help=_("only checks the backup"))

    def handle(self, **options: Any) -> None:
        """Check or restore, and print the number of files. Raises CommandError."""
        try:
            backup = read_backup(options["folder"])
            identities = _identities(options["identity"])
            if options["check"]:
                count = check_backup(backup, identities=identities)
                self.stdout.write(
                    _("All %(count)s files are as they were written.") % {"count": count}
                )
                return
            if backup.manifest.is_encrypted and not identities:
                raise CommandError(
                    _("This backup is encrypted: name the file with the secret key.")
                )
            restore_backup(backup, identities=identities, tell=self.stdout.write)
            record_act(action="portal.restored", target=None, version=backup.manifest.version)
            missing = verify_storage().missing
        except NotEmpty:
            raise CommandError(
                _("This site has accounts. Restore into an empty one; nothing was changed.")
            ) from None
        except BackupDamaged as problem:
            words = _("%(file)s is missing, was changed, or needs another key.")
            raise CommandError(words % {"file": problem}) from problem
        except (BackupProblem, OSError, StorageUnavailable) as problem:
            words = _("The backup was not restored; run the command again: %(problem)s")
            raise CommandError(words % {"problem": problem}) from problem
        for take in missing:
            self.stderr.write(_("%(file)s is not there") % {"file": take})
        self.stdout.write(
            _("Restored, with %(count)s recordings and other files.")
            % {"count": len(backup.manifest.recordings)}
        )


def _identities(path: Path | None) -> Identities:
    """Return the secret keys in a file, as `age-keygen` writes it. Raises CommandError."""
    if path is None:
        return ()
    lines = path.read_text().splitlines()
    keys = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    try:
        return [pyrage.x25519.Identity.from_str(key) for key in keys]
    except pyrage.IdentityError as problem:
        raise CommandError(
            _("This is not a secret key of age: it begins with AGE-SECRET-KEY-1.")
        ) from problem
