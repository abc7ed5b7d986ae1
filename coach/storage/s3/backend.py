"""The storage backend for an S3 bucket, proxied through this site without public URLs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.core.files.storage import storages

from coach.lib.files.scratch import scratch
from coach.storage import places
from coach.storage.port import (
    PIECE_BYTES,
    Gone,
    Holding,
    Pieces,
    RemovalReceipt,
    StorageUnavailable,
    UploadWriter,
    WorkDirectory,
)
from coach.storage.s3 import removing, upload_writer
from coach.storage.s3.store import Store, answers, patiently
from coach.storage.s3.work_directory import TRANSFER, RemoteWorkDirectory

if TYPE_CHECKING:
    from botocore.response import StreamingBody
    from storages.backends.s3 import S3Storage

_ALL = "rehearsals/"


def of_this_site() -> BucketStorage:
    """Return the backend for the bucket in the settings, with one client per process."""
    return _of(storages["recordings"])


@lru_cache(maxsize=4)
def _of(storage: S3Storage) -> BucketStorage:
    # Clients are thread-safe; the resource that django-storages creates is not.
    return BucketStorage(
        Store(
            client=storage.connection.meta.client,
            bucket=storage.bucket_name,
            anonymous=lambda: storage.unsigned_connection.meta.client,
        )
    )


@dataclass(frozen=True, slots=True)
class BucketStorage:
    """A storage backend with the objects of one bucket.

    An upload is stored under the name of its later take, with the same id. Objects
    cannot be hard-linked, and copying gigabytes in a transaction would block other requests.
    """

    store: Store

    def resume(self, upload: UUID) -> UploadWriter:
        """Continue after the stored parts. Raises Gone if the object is complete."""
        if self.size(self.incoming(upload)) is not None:
            raise Gone(self.incoming(upload))
        return upload_writer.resume(self.store, self.incoming(upload))

    def kept(self, upload: UUID) -> int:
        """Return the stored size in bytes, in parts or as one object."""
        size = self.size(self.incoming(upload))
        return upload_writer.kept(self.store, self.incoming(upload)) if size is None else size

    def incoming(self, upload: UUID) -> str:
        """Return the name of the original of the later take."""
        return places.original(upload)

    def upload_place(self, upload: UUID) -> str:
        """Return the place of the object and of its unfinished parts."""
        return places.take_place(upload)

    def settle(self, upload: UUID) -> int | None:
        """Join the parts that a dead process left into one object. Return its size, or None."""
        key = self.incoming(upload)
        size = self.size(key)
        if size is None:
            upload_writer.settle(self.store, key)
            size = self.size(key)
        return size

    def name_take(self, upload: UUID) -> UUID:
        """Return the upload's id, so that no object has to be moved."""
        return upload

    def adopt(self, upload: UUID, take: UUID) -> None:
        """Check that the take has the id of its upload. Raises ValueError."""
        if upload != take:
            raise ValueError("in a bucket a take has the id of its upload")

    def size(self, name: str) -> int | None:
        """Return the size that the store reports, or None if the object is missing."""
        try:
            with answers():
                found = self.store.client.head_object(Bucket=self.store.bucket, Key=name)
        except Gone:
            return None
        return found["ContentLength"]

    def read(self, name: str, *, start: int = 0, length: int | None = None) -> Iterator[bytes]:
        """Yield bytes of an object that is requested at once. Raises Gone, StorageUnavailable."""
        last = "" if length is None else start + length - 1
        with answers():
            found = self.store.client.get_object(
                Bucket=self.store.bucket, Key=name, Range=f"bytes={start}-{last}"
            )
        return Pieces(_pieces(found["Body"]), found["Body"].close)

    def keep(self, source: Path, name: str) -> None:
        """Upload a file as an object, which appears only when it is complete."""
        store = self.store
        patiently(
            lambda: store.client.upload_file(str(source), store.bucket, name, Config=TRANSFER)
        )

    @contextmanager
    def work_directory(self, take: UUID, run: UUID) -> Iterator[WorkDirectory]:
        """Provide a scratch directory, after deleting leftovers of killed processes."""
        with scratch() as folder:
            workdir = folder / "work"
            workdir.mkdir()
            yield RemoteWorkDirectory(
                store_=self.store,
                original=places.original(take),
                run=places.run_place(take, run),
                workdir=workdir,
                media_path=folder / "original",
            )

    def names(self, place: str) -> Iterator[str]:
        """Yield the names of the current objects in a place."""
        with answers():
            pages = self.store.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.store.bucket, Prefix=place
            )
            for page in pages:
                yield from (each["Key"] for each in page.get("Contents", []))

    def remove(self, place: str) -> RemovalReceipt:
        """Delete objects with all versions, and unfinished uploads."""
        return removing.remove(self.store, place)

    def holdings(self) -> Iterator[Holding]:
        """Yield all objects and multipart uploads, grouped by the id in their names."""
        changed: dict[UUID, float] = {}
        recorded: set[UUID] = set()
        for key, at in self._everything():
            try:
                owner = UUID(key.split("/")[1])
            except (IndexError, ValueError):
                continue  # not ours
            changed[owner] = max(at, changed.get(owner, 0.0))
            if key.removesuffix(".tail") == places.original(owner):
                recorded.add(owner)
        for owner, at in changed.items():
            yield Holding(
                owner=owner,
                place=places.take_place(owner),
                is_upload=False,
                changed_at=at,
                has_recording=owner in recorded,
            )

    def _everything(self) -> Iterator[tuple[str, float]]:
        client, bucket = self.store.client, self.store.bucket
        with answers():
            for page in client.get_paginator("list_objects_v2").paginate(
                Bucket=bucket, Prefix=_ALL
            ):
                for each in page.get("Contents", []):
                    yield each["Key"], each["LastModified"].timestamp()
            for unfinished in client.get_paginator("list_multipart_uploads").paginate(
                Bucket=bucket, Prefix=_ALL
            ):
                for upload in unfinished.get("Uploads", []):
                    yield upload["Key"], upload["Initiated"].timestamp()

    def free_bytes(self) -> int | None:
        """Return None: the store manages its own space."""
        return None

    def prepare_bucket(self) -> None:
        """Create the bucket, private to its owner, if it is missing."""
        try:
            with answers():
                self.store.client.head_bucket(Bucket=self.store.bucket)
        except (Gone, StorageUnavailable):
            with answers():
                self.store.client.create_bucket(Bucket=self.store.bucket)

    def is_public(self) -> bool:
        """Return whether objects can be read without a key."""
        anonymous = self.store.anonymous()
        probe = f"{_ALL}{uuid4()}/probe"
        with answers():
            self.store.client.put_object(Bucket=self.store.bucket, Key=probe, Body=b"nobody")
        try:
            with answers():
                anonymous.get_object(Bucket=self.store.bucket, Key=probe)
        except (StorageUnavailable, Gone):
            return False
        finally:
            self.remove(probe)
        return True

    def check(self) -> str:
        """Return why the bucket does not answer, or an empty string."""
        try:
            with answers():
                self.store.client.head_bucket(Bucket=self.store.bucket)
        except (StorageUnavailable, Gone, OSError):
            return "does not answer"
        return ""


def _pieces(body: StreamingBody) -> Iterator[bytes]:
    try:
        with answers():
            yield from body.iter_chunks(PIECE_BYTES)
    finally:
        body.close()
