"""Storage in a folder, which every web process and worker shares."""

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
        """Write straight to disk, so that data survives if this process dies."""
        left = memoryview(piece)
        while left:  # a disk that is nearly full takes a part of it
            count = self.file.write(left)
            self.kept += count
            left = left[count:]

    def close(self) -> None:
        """Do nothing: every piece is written at once."""
        self.file.close()

    def pause(self) -> None:
        """Do nothing: every piece is written at once."""
        self.file.close()


@dataclass(frozen=True, slots=True)
class _SharedWorkDirectory:
    """Every worker sees the same folder: nothing is fetched and nothing is stored."""

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
    """Files below one folder, which nobody but us can look into."""

    root: Path

    def path(self, name: str) -> Path:
        """Return the path of a name, always below the storage folder. Raises ValueError."""
        if name.startswith("/") or ".." in name.split("/"):
            raise ValueError(f"not a name in storage: {name}")
        return self.root / name

    def resume(self, upload: UUID) -> UploadWriter:
        """Write behind the last byte of its file, without a buffer."""
        path = _made(self.path(self.incoming(upload)))
        path.touch(mode=0o600)
        file = path.open("r+b", buffering=0)
        return _FileWriter(file, kept=file.seek(0, os.SEEK_END))

    def kept(self, upload: UUID) -> int:
        """Return the size of the upload's file."""
        return self.size(self.incoming(upload)) or 0

    def incoming(self, upload: UUID) -> str:
        """Return the name of the upload's file."""
        return f"uploads/{upload}.part"

    def upload_place(self, upload: UUID) -> str:
        """Return the upload's file, which is its place."""
        return self.incoming(upload)

    def settle(self, upload: UUID) -> int | None:
        """Return the size; an upload is one file from its first byte."""
        return self.size(self.incoming(upload))

    def name_take(self, upload: UUID) -> UUID:
        """Return a new id for each try, so that leftovers of a failed one are never used."""
        return uuid.uuid4()

    def adopt(self, upload: UUID, take: UUID) -> None:
        """Link the bytes to a second name, and remove the first once the transaction commits.

        Whatever happens in between, one of the two names is known to the database; the sweeper
        removes the other. A file system that knows no second names gets a copy.
        """
        source = self.path(self.incoming(upload))
        target = _made(self.path(places.original(take)))
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)
        transaction.on_commit(lambda: source.unlink(missing_ok=True))

    def size(self, name: str) -> int | None:
        """Return the size in bytes; None if there is no such file."""
        try:
            return self.path(name).stat().st_size
        except FileNotFoundError:
            return None

    def read(self, name: str, *, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Open the file at once, so that a missing one is noticed before the response begins."""
        try:
            file = self.path(name).open("rb")
        except FileNotFoundError as error:
            raise Gone(name) from error
        file.seek(start)
        return Pieces(_pieces(file, length), file.close)

    def keep(self, source: Path, name: str) -> None:
        """Store a file; its name appears only when it is complete."""
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
        """Yield files at any depth."""
        for path in sorted(self.path(place).rglob("*")):
            if path.is_file():
                yield path.relative_to(self.root).as_posix()

    def remove(self, place: str) -> RemovalReceipt:
        """Remove it, then count the remaining files."""
        path = self.path(place)
        before = _files(path)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        return RemovalReceipt(place=place, objects=before, left=_files(path))

    def holdings(self) -> Iterator[Holding]:
        """Yield what is named after a row; other files in the folder are ignored."""
        for path in _children(self.root / "rehearsals"):
            yield from _holding(path, path.name, f"rehearsals/{path.name}/", is_upload=False)
        for path in _children(self.root / "uploads"):
            # A copy that a killed process left half-way has a longer name than `incoming`.
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
        """Return why uploads cannot begin, or an empty string."""
        # A disk that was mounted to be read only, or what another account took back from a copy.
        places = (self._existing(), *(each for each in self.root.glob("*") if each.is_dir()))
        if not all(os.access(each, os.R_OK | os.W_OK | os.X_OK) for each in places):
            return "cannot be written to"
        free = self.free_bytes() or 0
        return "" if free > settings.LEAST_FREE_BYTES else "is nearly full"


def _made(path: Path) -> Path:
    """The path, with the folders that it needs; nobody but us looks into them."""
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
