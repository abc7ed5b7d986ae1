"""The interface of storage backends: upload, ranged reads, work directories, removal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID

PIECE_BYTES = 256 * 1024
"""The size of one read: constant memory, few calls."""


class StorageUnavailable(Exception):
    """An error of a storage backend that does not answer. Nothing is lost; try again later."""


class Gone(Exception):
    """An error for a name under which nothing is stored."""


@dataclass(frozen=True, slots=True)
class Pieces(Iterator[bytes]):
    """An iterator over a stored file that can be closed before its first piece is read.

    Closing a generator that never began runs nothing, so its file or connection would stay open
    after a response without a body, or an aborted one.
    """

    read: Iterator[bytes]
    close: Callable[[], None]

    def __next__(self) -> bytes:
        return next(self.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalReceipt:
    """The proof of a removal: the place was listed again afterwards.

    `objects` counts files, versions of objects and unfinished uploads alike.
    """

    place: str
    objects: int
    left: int

    @property
    def is_proven(self) -> bool:
        """Whether no files remain."""
        return self.left == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """The stored files of one take or upload, with the time of their last change."""

    owner: UUID
    place: str
    is_upload: bool
    """Whether the owner can only be an upload; otherwise a take, or an upload that becomes one."""
    changed_at: float
    has_recording: bool
    """Whether a recording, or a part of one, is among the files."""


class UploadWriter(Protocol):
    """A writer for one recording during its upload."""

    @property
    def kept(self) -> int:
        """The bytes that are stored durably, even if this process dies now."""

    def write(self, piece: bytes) -> None:
        """Write a piece. Raises OSError if the storage is full, and StorageUnavailable."""

    def close(self) -> None:
        """Finish writing, complete or not, and store the rest. Raises StorageUnavailable."""

    def pause(self) -> None:
        """Flush the received bytes, so that `resume` can continue. Raises StorageUnavailable."""


class WorkDirectory(Protocol):
    """The local files of one stage: a folder of its run, and the recording."""

    @property
    def workdir(self) -> Path:
        """The folder of fetched artefacts; `store` uploads new ones."""

    @property
    def media_path(self) -> Path:
        """The path of the recording after `fetch_media`."""

    def fetch(self, names: Collection[str]) -> None:
        """Fetch the artefacts with these names; skip missing ones. Raises StorageUnavailable."""

    def fetch_media(self) -> None:
        """Fetch the recording. Raises StorageUnavailable and Gone."""

    def store(self) -> None:
        """Store new artefacts for other machines. Raises StorageUnavailable."""


class Storage(Protocol):
    """The interface of a storage backend."""

    def resume(self, upload: UUID) -> UploadWriter:
        """Begin an upload, or continue it at its stored size (`kept`).

        Raises OSError, StorageUnavailable, and Gone if the upload is already complete.
        """

    def kept(self, upload: UUID) -> int:
        """Return the stored size of an unfinished upload in bytes. Raises StorageUnavailable."""

    def incoming(self, upload: UUID) -> str:
        """Return the name of an upload's file."""

    def upload_place(self, upload: UUID) -> str:
        """Return the place of all files of an upload that is not yet a take."""

    def settle(self, upload: UUID) -> int | None:
        """Join an upload's parts into one file, even after a crash. Return its size, or None."""

    def name_take(self, upload: UUID) -> UUID:
        """Return the id of the take that an upload becomes."""

    def adopt(self, upload: UUID, take: UUID) -> None:
        """Make an upload the original of a take if this transaction commits. Safe at any crash."""

    def size(self, name: str) -> int | None:
        """Return the size in bytes, or None if the file is missing. Raises StorageUnavailable."""

    def read(self, name: str, *, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Yield bytes from `start`. Raises Gone and StorageUnavailable before the first bytes."""

    def keep(self, source: Path, name: str) -> None:
        """Store a local file atomically. Raises StorageUnavailable."""

    def work_directory(self, take: UUID, run: UUID) -> AbstractContextManager[WorkDirectory]:
        """Provide the local files of one stage, and delete local copies afterwards."""

    def names(self, place: str) -> Iterator[str]:
        """Yield the name of every file in a place."""

    def remove(self, place: str) -> RemovalReceipt:
        """Delete a file, or everything in a place, and verify the removal."""

    def holdings(self) -> Iterator[Holding]:
        """Yield all stored files by the take or upload that must own them."""

    def free_bytes(self) -> int | None:
        """Return the free space in bytes, or None if it is unknown."""

    def check(self) -> str:
        """Return the problem in a few words for monitoring, or an empty string."""
