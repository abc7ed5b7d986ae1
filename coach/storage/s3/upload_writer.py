"""Multipart upload to a bucket in constant memory, with its incomplete part stored too.

A part has at least 5 MiB, which takes minutes on a slow connection. An incomplete part is stored
as the *tail* every ten seconds, so a killed process loses at most ten seconds of data.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from coach.storage.port import Gone
from coach.storage.s3.store import Store, answers, is_gone, patiently

if TYPE_CHECKING:
    from types_boto3_s3.type_defs import CompletedPartTypeDef

PART_BYTES = 5 * 1024 * 1024
"""The minimum part size of S3; the maximum of 10,000 parts is 48 GB."""

TAIL_SECONDS = 10.0

_PART = "part"
"""The metadata key of a tail: the number of the part that it would become."""


def tail_of(key: str) -> str:
    """Return the name of the tail, the remainder that does not yet fill a part."""
    return f"{key}.tail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A multipart upload that has not been completed."""

    upload_id: str = ""
    parts: tuple[CompletedPartTypeDef, ...] = ()
    size: int = 0
    """The total size of the parts in bytes."""


class S3UploadWriter:
    """A writer that collects the parts of one object."""

    def __init__(
        self, store: Store, key: str, *, before: Unfinished | None = None, tail: bytes = b""
    ) -> None:
        self._store, self._key = store, key
        self._buffer = bytearray(tail)
        self._upload_id = before.upload_id if before else ""
        self._parts = list(before.parts) if before else []
        self._in_parts = before.size if before else 0
        self._kept_at = time.monotonic()
        self._has_tail = bool(tail)
        self.kept = self._in_parts + len(tail)

    def write(self, piece: bytes) -> None:
        """Buffer a piece and upload full parts. Raises OSError and StorageUnavailable."""
        self._buffer += piece
        while len(self._buffer) >= PART_BYTES:
            self._send(bytes(self._buffer[:PART_BYTES]))
            del self._buffer[:PART_BYTES]
            self._in_parts += PART_BYTES
            self.kept = self._in_parts
            self._kept_at = time.monotonic()
        if self._buffer and time.monotonic() - self._kept_at >= TAIL_SECONDS:
            self._keep_tail()

    def pause(self) -> None:
        """Store the incomplete part as the tail, so that the upload can continue."""
        if self.kept < self._in_parts + len(self._buffer):
            self._keep_tail()

    def close(self) -> None:
        """Complete the object. If this fails, `settle` completes it later."""
        store = self._store
        if self._upload_id:
            if self._buffer:
                self._send(bytes(self._buffer))
                self._buffer.clear()
            patiently(lambda: _complete(store, self._key, self._upload_id, self._parts))
        elif self._buffer:
            content = bytes(self._buffer)
            patiently(
                lambda: store.client.put_object(Bucket=store.bucket, Key=self._key, Body=content)
            )
        if self._has_tail:
            patiently(lambda: _delete(store, tail_of(self._key)))

    def _send(self, content: bytes) -> None:
        store = self._store
        if not self._upload_id:
            self._upload_id = patiently(
                lambda: store.client.create_multipart_upload(Bucket=store.bucket, Key=self._key)
            )["UploadId"]
        number = len(self._parts) + 1
        self._parts.append(
            patiently(lambda: _part(store, self._key, self._upload_id, number, content))
        )

    def _keep_tail(self) -> None:
        store, content = self._store, bytes(self._buffer)
        patiently(
            lambda: store.client.put_object(
                Bucket=store.bucket,
                Key=tail_of(self._key),
                Body=content,
                Metadata={_PART: str(len(self._parts) + 1)},
            )
        )
        self._has_tail = True
        self.kept = self._in_parts + len(content)
        self._kept_at = time.monotonic()


def resume(store: Store, key: str) -> S3UploadWriter:
    """Return a writer that continues after the stored bytes. Raises StorageUnavailable."""
    with answers():
        before = _unfinished(store, key)
        tail, number = _tail(store, key)
    # A tail whose part was uploaded afterwards is obsolete.
    return S3UploadWriter(store, key, before=before, tail=tail if _follows(before, number) else b"")


def kept(store: Store, key: str) -> int:
    """Return the stored bytes in parts and tail. Raises StorageUnavailable."""
    with answers():
        before = _unfinished(store, key)
        try:
            found = store.client.head_object(Bucket=store.bucket, Key=tail_of(key))
        except ClientError as error:
            if is_gone(error):
                return before.size
            raise
    follows = _follows(before, int(found["Metadata"].get(_PART, "0")))
    return before.size + (found["ContentLength"] if follows else 0)


def _follows(before: Unfinished, number: int) -> bool:
    return number == len(before.parts) + 1


def settle(store: Store, key: str) -> None:
    """Complete the object that an interrupted upload left. Safe to call twice and concurrently."""
    try:
        with answers():
            _settle(store, key)
    except Gone:
        return  # another process has just completed it


def _settle(store: Store, key: str) -> None:
    found = _unfinished(store, key)
    upload_id, parts = found.upload_id, list(found.parts)
    tail, number = _tail(store, key)
    if upload_id and tail and number == len(parts) + 1:
        parts.append(_part(store, key, upload_id, number, tail))
    if upload_id and parts:
        _complete(store, key, upload_id, parts)
    elif tail and number == 1:
        store.client.put_object(Bucket=store.bucket, Key=key, Body=tail)
    if tail:
        _delete(store, tail_of(key))


def _unfinished(store: Store, key: str) -> Unfinished:
    """Return the newest multipart upload of this object, with its parts in order."""
    pages = store.client.get_paginator("list_multipart_uploads").paginate(
        Bucket=store.bucket, Prefix=key
    )
    uploads = [each for page in pages for each in page.get("Uploads", []) if each["Key"] == key]
    if not uploads:
        return Unfinished()
    newest = max(uploads, key=lambda each: each["Initiated"])["UploadId"]
    listed = store.client.get_paginator("list_parts").paginate(
        Bucket=store.bucket, Key=key, UploadId=newest
    )
    parts = [part for page in listed for part in page.get("Parts", [])]
    return Unfinished(
        upload_id=newest,
        parts=tuple({"PartNumber": each["PartNumber"], "ETag": each["ETag"]} for each in parts),
        size=sum(each["Size"] for each in parts),
    )


def _tail(store: Store, key: str) -> tuple[bytes, int]:
    try:
        with answers():
            found = store.client.get_object(Bucket=store.bucket, Key=tail_of(key))
            return found["Body"].read(), int(found["Metadata"].get(_PART, "0"))
    except Gone:
        return b"", 0


def _part(
    store: Store, key: str, upload_id: str, number: int, content: bytes
) -> CompletedPartTypeDef:
    sent = store.client.upload_part(
        Bucket=store.bucket, Key=key, UploadId=upload_id, PartNumber=number, Body=content
    )
    return {"PartNumber": number, "ETag": sent["ETag"]}


def _complete(store: Store, key: str, upload_id: str, parts: list[CompletedPartTypeDef]) -> None:
    try:
        with answers():
            store.client.complete_multipart_upload(
                Bucket=store.bucket, Key=key, UploadId=upload_id, MultipartUpload={"Parts": parts}
            )
    except Gone:
        # The response was lost, or another process settled it: then the object exists.
        store.client.head_object(Bucket=store.bucket, Key=key)


def _delete(store: Store, key: str) -> None:
    store.client.delete_object(Bucket=store.bucket, Key=key)
