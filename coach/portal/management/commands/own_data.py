"""`manage.py own_data ADDRESS --out FILE.zip`: export the data of a person who cannot sign in."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.files.private import private_file
from coach.lib.terminal import TranslatedCommand
from coach.portal.personal.archive import archive_of
from coach.storage import StorageUnavailable


class Command(TranslatedCommand):
    """Write the same archive as on the privacy page, with recordings."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Writes all stored data of a person into a ZIP file, for people who asked for it by letter."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments for the person and the output file."""
        parser.add_argument("address", help=_("the person’s email address"))
        parser.add_argument("--out", type=Path, required=True, help=_("the file to write"))

    def handle(self, **options: Any) -> None:
        """Write the archive to a private file; leave no partial file behind."""
        out: Path = options["out"]
        person = User.objects.filter(email=options["address"].lower()).first()
        if person is None:
            raise CommandError(_("No account uses the address %s.") % options["address"])
        if out.exists():
            raise CommandError(_("%s already exists; nothing was written.") % out)
        try:
            with private_file(out) as file:
                for piece in archive_of(person):
                    file.write(piece)
                # Logged before the file gets its name: no copy exists without a log entry.
                record_act(action="accounts.data_handed_out", target=person)
        except (OSError, StorageUnavailable) as problem:
            words = _("%(file)s was not written: %(why)s")
            raise CommandError(words % {"file": out, "why": problem}) from problem
        self.stdout.write(str(out))
