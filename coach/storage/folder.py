"""A storage backend in a folder that all web processes and workers share."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings
from django.db import transaction

from coach.storage import places
from coach.storage.port import (
    PIECE_BYTES,
    Gone,
    Holding,
    Pieces,
    RemovalReceipt,
    UploadWriter,
    WorkDirectory,
)

_PRIVATE = 0o700


@dataclass(slots=True)
class _FileWriter:
    file: IO[bytes]
    kept: int = 0

    def write(self, piece: bytes) -> None:
        """Write a piece unbuffered, so that its data survives if this process dies."""
        left = memoryview(piece)
        while left:  # a nearly full disk may accept only a part
            count = self.file.write(left)
            self.kept += count
            left = left[count:]

    def close(self) -> None:
        """Close the file; every piece is written at once."""
        self.file.close()

    def pause(self) -> None:
        """Close the file; every piece is written at once."""
        self.file.close()


@dataclass(frozen=True, slots=True)
class _SharedWorkDirectory:
    """A work directory in the shared folder, without any copying."""

    workdir: Path
    media_path: Path

    def fetch(self, names: Collection[str]) -> None:
        """Do nothing: the files are here."""

    def fetch_media(self) -> None:
        """Do nothing: the recording is here."""

    def store(self) -> None:
        """Do nothing: the files are here."""


@dataclass(frozen=True, slots=True)
class FolderStorage:
    """A storage backend with files below one folder that only this account can read."""

    root: Path

    def path(self, name: str) -> Path:
        """Return the path of a name below the storage folder. Raises ValueError for others."""
        if name.startswith("/") or ".." in name.split("/"):
            raise ValueError(f"not a name in storage: {name}")
        return self.root / name

    def resume(self, upload: UUID) -> UploadWriter:
        """Open the upload's file for appending, without a buffer."""
        path = _made(self.path(self.incoming(upload)))
        path.touch(mode=0o600)
        file = path.open("r+b", buffering=0)
        return _FileWriter(file, kept=file.seek(0, os.SEEK_END))

    def kept(self, upload: UUID) -> int:
        """Return the size of the upload's file in bytes, 0 if it is missing."""
        return self.size(self.incoming(upload)) or 0

    def incoming(self, upload: UUID) -> str:
        """Return the name of the upload's file."""
        return f"uploads/{upload}.part"

    def upload_place(self, upload: UUID) -> str:
        """Return the name of the upload's file; nothing else belongs to the upload."""
        return self.incoming(upload)

    def settle(self, upload: UUID) -> int | None:
        """Return the size of the upload's file, or None; there are no parts to join."""
        return self.size(self.incoming(upload))

    def name_take(self, upload: UUID) -> UUID:
        """Return a new id for each attempt, so that leftovers of a failed one are never used."""
        return uuid.uuid4()

    def adopt(self, upload: UUID, take: UUID) -> None:
        """Hard-link the upload under the take's name, and delete its own name on commit.

        After a crash in between, the database knows one of the two names; the sweeper
        deletes the other. On a file system without hard links the file is copied.
        """
        source = self.path(self.incoming(upload))
        target = _made(self.path(places.original(take)))
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)
        transaction.on_commit(lambda: source.unlink(missing_ok=True))

    def size(self, name: str) -> int | None:
        """Return the size in bytes, or None if the file is missing."""
        try:
            return self.path(name).stat().st_size
        except FileNotFoundError:
            return None

    def read(self, name: str, *, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Yield bytes of a file that is opened at once, before the response begins. Raises Gone."""
        try:
            file = self.path(name).open("rb")
        except FileNotFoundError as error:
            raise Gone(name) from error
        file.seek(start)
        return Pieces(_pieces(file, length), file.close)

    def keep(self, source: Path, name: str) -> None:
        """Store a copy of a file atomically, by renaming it once it is complete."""
        target = _made(self.path(name))
        partial = target.with_name(f"{target.name}.{uuid.uuid4().hex}.part")
        try:
            shutil.copyfile(source, partial)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    @contextmanager
    def work_directory(self, take: UUID, run: UUID) -> Iterator[WorkDirectory]:
        """Provide the stored files themselves, without copies."""
        workdir = self.path(places.run_place(take, run))
        workdir.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
        yield _SharedWorkDirectory(workdir, self.path(places.original(take)))

    def names(self, place: str) -> Iterator[str]:
        """Yield the names of the files in a place, at any depth."""
        for path in sorted(self.path(place).rglob("*")):
            if path.is_file():
                yield path.relative_to(self.root).as_posix()

    def remove(self, place: str) -> RemovalReceipt:
        """Delete a file or folder, then count the remaining files."""
        path = self.path(place)
        before = _files(path)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        return RemovalReceipt(place=place, objects=before, left=_files(path))

    def holdings(self) -> Iterator[Holding]:
        """Yield the files that are named after a take or an upload; ignore all others."""
        for path in _children(self.root / "rehearsals"):
            yield from _holding(path, path.name, f"rehearsals/{path.name}/", is_upload=False)
        for path in _children(self.root / "uploads"):
            # A partial file of a killed process has a longer name than `incoming`.
            name = path.name.partition(".")[0]
            yield from _holding(path, name, f"uploads/{path.name}", is_upload=True)

    def free_bytes(self) -> int | None:
        """Return the free space of the disk that holds the folder."""
        return shutil.disk_usage(self._existing()).free

    def _existing(self) -> Path:
        folder = self.root
        while not folder.exists():
            folder = folder.parent
        return folder

    def check(self) -> str:
        """Return why new uploads are impossible, or an empty string."""
        # A disk mounted read-only, or files that another account restored from a backup.
        places = (self._existing(), *(each for each in self.root.glob("*") if each.is_dir()))
        if not all(os.access(each, os.R_OK | os.W_OK | os.X_OK) for each in places):
            return "cannot be written to"
        free = self.free_bytes() or 0
        return "" if free > settings.LEAST_FREE_BYTES else "is nearly full"


def _made(path: Path) -> Path:
    """Create the parent folders of a path, private to this account, and return the path."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=_PRIVATE)
    return path


def _pieces(file: IO[bytes], length: int | None) -> Iterator[bytes]:
    with file:
        left = float("inf") if length is None else length
        while left > 0 and (piece := file.read(int(min(PIECE_BYTES, left)))):
            left -= len(piece)
            yield piece


def _files(path: Path) -> int:
    if not path.is_dir():
        return int(path.exists())
    return 1 + sum(1 for _each in path.rglob("*"))


def _children(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _holding(path: Path, name: str, place: str, *, is_upload: bool) -> Iterator[Holding]:
    try:
        owner, changed_at = UUID(name), path.lstat().st_mtime
    except (ValueError, FileNotFoundError):
        return
    yield Holding(
        owner=owner,
        place=place,
        is_upload=is_upload,
        changed_at=changed_at,
        has_recording=is_upload or (path / "original").exists(),
    )
