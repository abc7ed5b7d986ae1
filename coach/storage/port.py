"""The interface of storage backends: receive, read by range, work on, remove for good."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID

PIECE_BYTES = 256 * 1024
"""Size of one read: constant memory, few calls."""


class StorageUnavailable(Exception):
    """The storage does not answer. Nothing is lost; try again later."""


class Gone(Exception):
    """Error: nothing is stored under this name."""


@dataclass(frozen=True, slots=True)
class Pieces(Iterator[bytes]):
    """An iterator over a stored file that can be closed before its first piece is read.

    Closing a generator that never began runs nothing, so its file or connection would stay open
    after an answer without a body, or one that nobody waited for.
    """

    read: Iterator[bytes]
    close: Callable[[], None]

    def __next__(self) -> bytes:
        return next(self.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalReceipt:
    """The proof that a place is empty: it was listed again after the removal.

    `objects` counts files, versions of objects and unfinished uploads alike.
    """

    place: str
    objects: int
    left: int

    @property
    def is_proven(self) -> bool:
        """Whether nothing is left."""
        return self.left == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """The stored files of one take or upload, and when they last changed."""

    owner: UUID
    place: str
    is_upload: bool
    """Whether only an upload can own it; else a take can, or an upload that becomes one."""
    changed_at: float
    has_recording: bool
    """Whether a recording, or a part of one, is among the files."""


class UploadWriter(Protocol):
    """Writer of one recording that is being uploaded."""

    @property
    def kept(self) -> int:
        """Bytes that are stored for certain, even if this process dies now."""

    def write(self, piece: bytes) -> None:
        """Write a piece. Raises OSError if there is no space, and StorageUnavailable."""

    def close(self) -> None:
        """End the upload, complete or not; keep what arrived. Raises StorageUnavailable."""

    def pause(self) -> None:
        """Flush what has arrived, so that `resume` can go on. Raises StorageUnavailable."""


class WorkDirectory(Protocol):
    """The local files of one stage: a folder of its run, and the recording."""

    @property
    def workdir(self) -> Path:
        """The folder of fetched artefacts; `store` stores what the stage adds."""

    @property
    def media_path(self) -> Path:
        """The recording, after `fetch_media`."""

    def fetch(self, names: Collection[str]) -> None:
        """Fetch those of the artefacts that exist. Raises StorageUnavailable."""

    def fetch_media(self) -> None:
        """Fetch the recording. Raises StorageUnavailable and Gone."""

    def store(self) -> None:
        """Store new artefacts for other machines. Raises StorageUnavailable."""


class Storage(Protocol):
    """A storage backend."""

    def resume(self, upload: UUID) -> UploadWriter:
        """Begin an upload, or continue it where it stopped (`kept`).

        Raises OSError, StorageUnavailable, and Gone if it is one recording already.
        """

    def kept(self, upload: UUID) -> int:
        """Return the stored bytes of an unfinished upload. Raises StorageUnavailable."""

    def incoming(self, upload: UUID) -> str:
        """Return the name of the file of an upload."""

    def upload_place(self, upload: UUID) -> str:
        """Return the place of everything that belongs to an upload that is not a take."""

    def settle(self, upload: UUID) -> int | None:
        """Join what arrived into one file, even if its process died. Return its size, or None."""

    def name_take(self, upload: UUID) -> UUID:
        """Return the id of the take that an upload becomes."""

    def adopt(self, upload: UUID, take: UUID) -> None:
        """Make an upload the original of a take, if this transaction commits. Safe at any crash."""

    def size(self, name: str) -> int | None:
        """Return the size in bytes, or None if there is no such file. Raises StorageUnavailable."""

    def read(self, name: str, *, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Yield bytes from `start`. Raises Gone, StorageUnavailable before the first."""

    def keep(self, source: Path, name: str) -> None:
        """Store a local file atomically. Raises StorageUnavailable."""

    def work_directory(self, take: UUID, run: UUID) -> AbstractContextManager[WorkDirectory]:
        """Provide the local files of one stage, and delete local copies afterwards."""

    def names(self, place: str) -> Iterator[str]:
        """Yield every name in a place."""

    def remove(self, place: str) -> RemovalReceipt:
        """Remove a name, or everything in a place, and check that it is gone."""

    def holdings(self) -> Iterator[Holding]:
        """Yield everything that is stored, with the take or upload that it must belong to."""

    def free_bytes(self) -> int | None:
        """Return the free space in bytes, or None if it is unknown."""

    def check(self) -> str:
        """Return what is wrong, in a few words for a monitor, or an empty string."""
