"""What storage does, wherever it is: receive, deliver by range, lend, remove for good."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID

PIECE_BYTES = 256 * 1024
"""So much is read at a time: constant memory, few calls."""


class StorageUnavailable(Exception):
    """The place does not answer now. Nothing is lost by asking again later."""


class Gone(Exception):
    """There is nothing by this name."""


@dataclass(frozen=True, slots=True)
class Pieces(Iterator[bytes]):
    """What is read a piece at a time, and can be closed before anybody has asked for the first.

    A generator that never began runs nothing when it is closed: what it reads from stayed open,
    with a connection of the store, after each answer that has no body or that nobody waited for.
    """

    read: Iterator[bytes]
    close: Callable[[], None]

    def __next__(self) -> bytes:
        return next(self.read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """That nothing is left in a place: it was looked at again after removing.

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
    """What lies there for one take or upload: the place, and since when nothing changed in it."""

    owner: UUID
    place: str
    is_upload: bool
    """Only an upload can own it; else a take can, or an upload that becomes one."""
    changed_at: float
    has_recording: bool
    """Whether a recording, or what arrived of one, is among it."""


class UploadWriter(Protocol):
    """One recording on its way in."""

    @property
    def kept(self) -> int:
        """So many bytes are there for certain, whatever happens to us now."""

    def write(self, piece: bytes) -> None:
        """Keep a piece. Raises OSError where there is no room, StorageUnavailable."""

    def close(self) -> None:
        """End the upload, complete or not; keep what arrived. Raises StorageUnavailable."""

    def pause(self) -> None:
        """Flush what has arrived, so that `resume` can go on. Raises StorageUnavailable."""


class WorkDirectory(Protocol):
    """What a stage works on: a folder of its run, and the recording, both on this machine."""

    @property
    def workdir(self) -> Path:
        """The artefacts that were fetched; what a stage leaves here is stored."""

    @property
    def media_path(self) -> Path:
        """The recording, once it was fetched."""

    def fetch(self, names: Collection[str]) -> None:
        """Bring those artefacts that there are. Raises StorageUnavailable."""

    def fetch_media(self) -> None:
        """Bring the recording. Raises StorageUnavailable and Gone."""

    def store(self) -> None:
        """Put what is new where other machines find it. Raises StorageUnavailable."""


class Storage(Protocol):
    """A place for recordings."""

    def resume(self, upload: UUID) -> UploadWriter:
        """Begin an upload, or continue it where it stopped (`kept`).

        Raises OSError, StorageUnavailable, and Gone if it is one recording already.
        """

    def kept(self, upload: UUID) -> int:
        """Return the stored bytes of an unfinished upload. Raises StorageUnavailable."""

    def incoming(self, upload: UUID) -> str:
        """The name of what an upload brought."""

    def upload_place(self, upload: UUID) -> str:
        """Everything that belongs to an upload that is no take."""

    def settle(self, upload: UUID) -> int | None:
        """Make what arrived one recording, also where its process died; its bytes, or None."""

    def name_take(self, upload: UUID) -> UUID:
        """The id of the take that an upload becomes."""

    def adopt(self, upload: UUID, take: UUID) -> None:
        """What arrived is the original of a take, if this transaction stands. Safe at any crash."""

    def size(self, name: str) -> int | None:
        """Bytes; None where there is nothing by this name. Raises StorageUnavailable."""

    def read(self, name: str, *, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Yield bytes from `start`. Raises Gone, StorageUnavailable before the first."""

    def keep(self, source: Path, name: str) -> None:
        """Store a local file atomically. Raises StorageUnavailable."""

    def bench(self, take: UUID, run: UUID) -> AbstractContextManager[WorkDirectory]:
        """A place to work for one stage; what it takes on this machine goes with it."""

    def names(self, place: str) -> Iterator[str]:
        """Every name in a place."""

    def remove(self, place: str) -> Receipt:
        """Remove a name, or everything in a place, and look whether it is gone."""

    def holdings(self) -> Iterator[Holding]:
        """Everything that is there, by whom it must belong to."""

    def free_bytes(self) -> int | None:
        """How much room there is; None where that is not ours to know."""

    def check(self) -> str:
        """Empty where it can be written to; else what is wrong, in a word or two for a monitor."""
