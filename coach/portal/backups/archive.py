"""A folder of backups: its manifests, and files that are hashed and perhaps encrypted with age."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Literal

import pyrage
from pydantic import BaseModel, ConfigDict, ValidationError

from coach.lib.files.private import private_file
from coach.storage.port import PIECE_BYTES

MANIFEST = "manifest.json"
DATABASE = "database.dump"
RECORDINGS = "recordings"
"""The folder of recordings, which all backups of a folder share."""
_ENCRYPTED = ".age"

Recipients = Sequence[pyrage.x25519.Recipient]
Identities = Sequence[pyrage.x25519.Identity]


class BackupDamaged(Exception):
    """An error for a file of a backup that is missing, changed or cannot be decrypted."""


class BackedUp(BaseModel):
    """A file of a backup: its size in bytes and its SHA-256, and those of what is stored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    size: int
    sha256: str
    stored_size: int
    stored_sha256: str


class Manifest(BaseModel):
    """One backup: when it was made, with which version, and its files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    made_at: datetime
    version: str
    is_encrypted: bool
    database: BackedUp
    recordings: tuple[BackedUp, ...]
    missing: tuple[str, ...] = ()
    """The recordings that had a row and no file when the backup was made."""


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup in a folder."""

    folder: Path
    manifest: Manifest

    @property
    def files(self) -> Iterator[tuple[Path, BackedUp]]:
        """All files with their paths: the database, then the recordings."""
        is_encrypted = self.manifest.is_encrypted
        yield stored_path(self.folder, DATABASE, is_encrypted=is_encrypted), self.manifest.database
        for each in self.manifest.recordings:
            yield self.recording(each), each

    def recording(self, file: BackedUp) -> Path:
        """Return the path of a recording's file."""
        return stored_path(
            self.folder.parent / RECORDINGS, file.name, is_encrypted=self.manifest.is_encrypted
        )


def stored_path(folder: Path, name: str, *, is_encrypted: bool) -> Path:
    """Return the path of a file in a backup. Raises BackupDamaged for a name outside of it."""
    if name.startswith("/") or ".." in name.split("/"):
        raise BackupDamaged(name)
    return folder / (f"{name}{_ENCRYPTED}" if is_encrypted else name)


def backups_in(folder: Path) -> list[Backup]:
    """Return the finished backups in a folder, oldest first, without those that cannot be read."""
    found = []
    for path in sorted(folder.glob(f"*/{MANIFEST}")):
        with suppress(BackupDamaged):
            found.append(read_backup(path.parent))
    return found


def damaged_in(folder: Path) -> list[Path]:
    """Return the folders of finished backups whose manifest cannot be read, oldest first."""
    sound = {backup.folder for backup in backups_in(folder)}
    finished = [path.parent for path in sorted(folder.glob(f"*/{MANIFEST}"))]
    return [each for each in finished if each not in sound]


def read_backup(folder: Path) -> Backup:
    """Return the backup in its own folder. Raises BackupDamaged."""
    try:
        return Backup(folder, Manifest.model_validate_json((folder / MANIFEST).read_bytes()))
    except (OSError, ValidationError) as problem:
        raise BackupDamaged(str(folder / MANIFEST)) from problem


def write_manifest(folder: Path, manifest: Manifest) -> Backup:
    """Save the manifest, which finishes a backup."""
    with private_file(folder / MANIFEST) as file:
        file.write(manifest.model_dump_json(indent=1).encode())
    return Backup(folder, manifest)


def store(name: str, pieces: Iterable[bytes], path: Path, recipients: Recipients) -> BackedUp:
    """Write a file, encrypted if there are recipients, and read it again.

    Raises OSError, and BackupDamaged if what is read differs from what was written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    source = _Pieces(pieces)
    with private_file(path) as file:
        target = _Hashed(file)
        if recipients:
            pyrage.encrypt_io(source, target, recipients)
        else:
            _pump(source, target)
    found = BackedUp(
        name=name,
        size=source.size,
        sha256=source.digest.hexdigest(),
        stored_size=target.size,
        stored_sha256=target.digest.hexdigest(),
    )
    check_stored(path, found)
    return found


def check_stored(path: Path, file: BackedUp) -> None:
    """Raise BackupDamaged if a file is not stored as it was written; needs no key."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stored:
            for piece in iter(lambda: stored.read(PIECE_BYTES), b""):
                digest.update(piece)
    except OSError as problem:
        raise BackupDamaged(str(path)) from problem
    if digest.hexdigest() != file.stored_sha256:
        raise BackupDamaged(str(path))


def is_stored(path: Path, file: BackedUp) -> bool:
    """Return whether a file is there with the size that was written."""
    return path.is_file() and path.stat().st_size == file.stored_size


@contextmanager
def opened(path: Path, file: BackedUp, identities: Identities, copy: Path) -> Iterator[Path]:
    """Provide a decrypted copy of a file. Raises BackupDamaged if it is not the original."""
    try:
        with path.open("rb") as stored, copy.open("wb") as plain:
            target = _Hashed(plain)
            if path.suffix == _ENCRYPTED:
                pyrage.decrypt_io(stored, target, identities)
            else:
                _pump(stored, target)
    except (OSError, pyrage.DecryptError) as problem:
        raise BackupDamaged(str(path)) from problem
    if target.digest.hexdigest() != file.sha256:
        raise BackupDamaged(str(path))
    try:
        yield copy
    finally:
        copy.unlink(missing_ok=True)


def _pump(source: IO[bytes] | io.RawIOBase, target: _Hashed) -> None:
    while piece := source.read(PIECE_BYTES):
        target.write(piece)


class _Pieces(io.RawIOBase):
    """A file to read from an iterator of bytes, hashed while it is read."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._left = b""
        self.size = 0
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes; empty at the end."""
        if not self._left:
            self._left = next((piece for piece in self._pieces if piece), b"")
        size = len(self._left) if size < 0 else size
        piece, self._left = self._left[:size], self._left[size:]
        self.size += len(piece)
        self.digest.update(piece)
        return piece


class _Hashed:
    """A file to write to, hashed while it is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.size = 0
        self.digest = hashlib.sha256()

    def write(self, piece: bytes) -> int:
        """Write all of a piece."""
        self._file.write(piece)
        self.size += len(piece)
        self.digest.update(piece)
        return len(piece)

    def flush(self) -> None:
        """Flush the file."""
        self._file.flush()
