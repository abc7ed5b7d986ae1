"""Making, checking and restoring a backup; see `docs/guides/backup.md`."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from django.db import connection
from django.utils import timezone

from analysis import __version__
from coach.accounts.models import User
from coach.audit.services import record_act
from coach.lib.embedded.postgres import postgres_programs
from coach.lib.files.scratch import scratch
from coach.portal.backups.archive import (
    DATABASE,
    RECORDINGS,
    BackedUp,
    Backup,
    BackupDamaged,
    Identities,
    Manifest,
    Recipients,
    backups_in,
    check_stored,
    damaged_in,
    is_stored,
    opened,
    store,
    stored_path,
    write_manifest,
)
from coach.rehearsals.storage_copy import stored_files
from coach.storage.factory import storage
from coach.storage.folder import FolderStorage
from coach.storage.port import PIECE_BYTES, Gone

Tell = Callable[[str], None]

_LOCK = ".lock"
"""The file that marks a folder of backups, and keeps a second backup away."""
_OF_DISKS = frozenset({"lost+found"})
"""What an empty disk holds."""
_FOLDER = "%Y-%m-%dT%H%M%SZ"
_FOLDERS = "????-??-??T??????Z"
"""The folder of one backup: its time in UTC, and the pattern of such names."""


class BackupProblem(Exception):
    """An error of a backup or restore, in words of the program that failed."""


class NotABackupFolder(BackupProblem):
    """An error for a folder with other files, since old backups are deleted from a folder."""


class NotEmpty(BackupProblem):
    """An error for a restore into a site that has accounts."""


def make_backup(
    target: Path, *, recipients: Recipients = (), keep: int, tell: Tell = lambda _name: None
) -> Backup:
    """Back up the database, then the recordings, and delete all but the last `keep` backups.

    In this order no row lacks its recording, unless somebody deletes it meanwhile. Recordings that
    an earlier backup in the folder holds are not written again. While a backup there is damaged,
    none is deleted. Raises BackupProblem,
    BackupDamaged, OSError and StorageUnavailable; the backups before stay.
    """
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not (target / _LOCK).exists() and {each.name for each in target.iterdir()} - _OF_DISKS:
        raise NotABackupFolder
    with _alone(target):
        known = _known(target, is_encrypted=bool(recipients))
        made_at = timezone.now()
        folder = target / made_at.strftime(_FOLDER)
        is_encrypted = bool(recipients)
        database = store(
            DATABASE, _dump(), stored_path(folder, DATABASE, is_encrypted=is_encrypted), recipients
        )
        recordings, missing = _store_recordings(target, recipients, known, tell)
        backup = write_manifest(
            folder,
            Manifest(
                made_at=made_at,
                version=__version__,
                is_encrypted=is_encrypted,
                database=database,
                recordings=recordings,
                missing=missing,
            ),
        )
        # Nobody knows which recordings a damaged backup needs.
        if not damaged_in(target):
            _prune(target, keep=keep)
    record_act(action="portal.backed_up", target=None, number=len(recordings))
    return backup


def check_backup(backup: Backup, *, identities: Identities = ()) -> int:
    """Read every file of a backup, decrypted if there is a key; return their number.

    Raises BackupDamaged for the first file that is missing or changed.
    """
    count = 0
    with scratch() as folder:
        for path, file in backup.files:
            if identities or not backup.manifest.is_encrypted:
                with opened(path, file, identities, folder / "copy"):
                    pass
            else:
                check_stored(path, file)
            count += 1
    return count


def restore_backup(
    backup: Backup, *, identities: Identities = (), tell: Tell = lambda _name: None
) -> None:
    """Restore a backup into this site, which must have no accounts.

    All files are checked first. Recordings come before the database, so that an interrupted restore
    can be run again. Raises NotEmpty, BackupProblem, BackupDamaged, OSError and StorageUnavailable.
    """
    if _has_accounts():
        raise NotEmpty
    check_backup(backup, identities=identities)
    with scratch() as folder:
        for file in backup.manifest.recordings:
            name = _name_here(file.name)
            if storage().size(name) != file.size:
                with opened(backup.recording(file), file, identities, folder / "copy") as copy:
                    storage().keep(copy, name)
                tell(name)
        path, file = next(backup.files)
        with opened(path, file, identities, folder / "copy") as copy:
            _restore_database(copy)


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Refuse a second backup into the same folder at the same time."""
    with (target / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupProblem(str(target / _LOCK)) from None
        yield


def _known(target: Path, *, is_encrypted: bool) -> dict[str, BackedUp]:
    """Return the recordings of the earlier backups that are stored in the same way."""
    return {
        file.name: file
        for backup in backups_in(target)
        if backup.manifest.is_encrypted == is_encrypted
        for file in backup.manifest.recordings
    }


def _store_recordings(
    target: Path, recipients: Recipients, known: Mapping[str, BackedUp], tell: Tell
) -> tuple[tuple[BackedUp, ...], tuple[str, ...]]:
    """Return the recordings in the backup, and the names of those without a file."""
    found, missing = [], []
    for here, name, _sha256 in stored_files(storage(), FolderStorage(target / RECORDINGS)):
        path = stored_path(target / RECORDINGS, name, is_encrypted=bool(recipients))
        before = known.get(name)
        size = storage().size(here)
        if before is not None and before.size == size and is_stored(path, before):
            found.append(before)
            continue
        try:
            found.append(store(name, storage().read(here), path, recipients))
        except Gone:
            missing.append(name)
        else:
            tell(name)
    return tuple(found), tuple(missing)


def _prune(target: Path, *, keep: int) -> None:
    """Delete unfinished and older backups, and recordings that no remaining backup names.

    What people delete is gone from the backups after `keep` of them.
    """
    backups = backups_in(target)
    kept = backups[-keep:]
    folders = {backup.folder for backup in kept}
    for folder in target.glob(_FOLDERS):
        if folder not in folders:
            shutil.rmtree(folder)
    paths = {backup.recording(file) for backup in kept for file in backup.manifest.recordings}
    for path in (target / RECORDINGS).rglob("*"):
        if path.is_file() and path not in paths:
            path.unlink()


def _dump() -> Iterator[bytes]:
    """Yield the database in the custom format of pg_dump, as one snapshot."""
    dump = subprocess.Popen(  # noqa: S603 - our own program and arguments
        [str(postgres_programs() / "pg_dump"), "--format=custom", "--no-owner", "--no-privileges"],
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with dump:
        if dump.stdout is None or dump.stderr is None:
            raise BackupProblem("pg_dump")
        while piece := dump.stdout.read(PIECE_BYTES):
            yield piece
        said = dump.stderr.read().decode(errors="replace").strip()
    if dump.returncode:
        raise BackupProblem(said)


def _restore_database(dump: Path) -> None:
    """Replace the empty tables in one transaction."""
    connection.close()
    restore = subprocess.run(  # noqa: S603 - our own program and arguments
        [
            *(str(postgres_programs() / "pg_restore"), "--no-owner", "--no-privileges"),
            *("--clean", "--if-exists", "--single-transaction", "--exit-on-error"),
            *("--dbname", str(connection.settings_dict["NAME"]), str(dump)),
        ],
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if restore.returncode:
        raise BackupProblem(restore.stderr.decode(errors="replace").strip())


def _environment() -> dict[str, str]:
    """Return the environment of PostgreSQL's programs; a password is in no list of processes."""
    given = connection.settings_dict
    options = given.get("OPTIONS", {})
    names = {
        "PGDATABASE": given["NAME"],
        "PGUSER": given["USER"],
        "PGPASSWORD": given["PASSWORD"],
        "PGHOST": given["HOST"] or options.get("host", ""),
        "PGPORT": given["PORT"],
        "PGSSLMODE": options.get("sslmode", ""),
        "PGSSLROOTCERT": options.get("sslrootcert", ""),
    }
    return {**os.environ, **{name: str(value) for name, value in names.items() if value}}


def _has_accounts() -> bool:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    return User._meta.db_table in tables and User.objects.exists()  # noqa: SLF001 - the table's name


def _name_here(name: str) -> str:
    """Return the name of a recording in this site's storage."""
    place, _slash, rest = name.partition("/")
    if place != "uploads":
        return name
    try:
        return storage().incoming(UUID(rest.removesuffix(".part")))
    except ValueError:
        raise BackupDamaged(name) from None
