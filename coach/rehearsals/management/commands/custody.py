"""`manage.py custody check | copy | verify | sweep`: maintenance of the storage."""

from __future__ import annotations

import tempfile
import uuid
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.lib.terminal import TranslatedCommand
from coach.rehearsals.storage_copy import copy_storage
from coach.rehearsals.sweeping import reconcile_storage, verify_storage
from coach.storage import Storage, StorageUnavailable, places
from coach.storage.factory import storage_named

_MOST_NAMED = 50
_CHOICES = ("folder", "s3")


class Command(TranslatedCommand):
    """A command that checks, copies, verifies or sweeps the storage."""

    help = gettext_lazy(  # type: ignore[assignment]
        "Looks whether recordings can be kept here, or copies them into another custody."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the four subcommands."""
        todo = parser.add_subparsers(dest="todo", required=True)
        check = todo.add_parser("check", help=_("writes, reads and deletes a small file"))
        check.add_argument("--in", dest="place", choices=_CHOICES, default=settings.CUSTODY)
        check.add_argument(
            "--make-bucket", action="store_true", help=_("creates the bucket if it does not exist")
        )
        copy = todo.add_parser("copy", help=_("copies every recording and deletes nothing"))
        copy.add_argument("--from", dest="source", choices=_CHOICES, required=True)
        copy.add_argument("--to", dest="target", choices=_CHOICES, required=True)
        todo.add_parser("verify", help=_("checks now that every recording is there"))
        todo.add_parser(
            "sweep",
            help=_("permanently deletes files that do not belong to anything in the database"),
        )

    def handle(self, **options: Any) -> None:
        """Run the subcommand and print its result. Raises CommandError."""
        try:
            if options["todo"] == "check":
                self._check(storage_named(options["place"]), makes=options["make_bucket"])
            elif options["todo"] == "verify":
                self._verify()
            elif options["todo"] == "sweep":
                found = reconcile_storage(removes_many=True)
                words = _("%(gone)s deleted, %(missing)s missing")
                said = {"gone": len(found.removed), "missing": len(found.missing)}
                self.stdout.write(words % said)
            else:
                self._copy(options["source"], options["target"])
        except StorageUnavailable as problem:
            words = _("The storage does not respond as expected: %(problem)s")
            raise CommandError(words % {"problem": problem}) from problem

    def _check(self, storage: Storage, *, makes: bool) -> None:
        prepare = getattr(storage, "prepare_bucket", None)
        if makes and prepare is not None:
            prepare()
        for said in _tried(storage):
            self.stdout.write(said)
        is_public = getattr(storage, "is_public", None)
        if is_public is not None:
            if is_public():
                raise CommandError(_("This bucket is public. Make it private before you use it."))
            self.stdout.write(_("it cannot be read without the key"))

    def _verify(self) -> None:
        found = verify_storage()
        if found.removed:
            words = _("%(left)s left over, to be deleted by the next sweep")
            self.stdout.write(words % {"left": len(found.removed)})
        if not found.missing and not found.kept:
            self.stdout.write(_("Every recording is where the database has it."))
            return
        words = _("%(missing)s missing, %(unknown)s belong to nothing in the database")
        said = words % {"missing": len(found.missing), "unknown": len(found.kept)}
        which = [*map(str, found.missing), *found.kept][:_MOST_NAMED]
        raise CommandError("\n".join([said, *which]))

    def _copy(self, source: str, target: str) -> None:
        if source == target:
            raise CommandError(_("The recordings are already there."))
        moved = copy_storage(storage_named(source), storage_named(target), tell=self.stdout.write)
        words = _("%(copied)s copied, %(there)s already there")
        self.stdout.write(words % {"copied": moved.copied, "there": moved.there})
        if moved.problems:
            raise CommandError("\n".join(moved.problems))


def _tried(storage: Storage) -> Iterator[str]:
    name, content = places.poster(uuid.uuid4()), b"a small file, for a moment"
    with tempfile.NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        storage.keep(Path(file.name), name)
    yield _("it can be written to")
    if b"".join(storage.read(name, start=2, length=5)) != content[2:7]:
        raise CommandError(_("Part of the written data came back changed."))
    yield _("parts of it can be read")
    place = name.rpartition("/")[0] + "/"
    if not storage.remove(place).is_proven:
        raise CommandError(_("The deleted file is still there. Is there an object lock?"))
    yield _("deleted files are gone, with every version")
