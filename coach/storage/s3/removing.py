"""Permanent removal from a bucket: objects, old versions and unfinished uploads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from coach.storage.port import Gone, RemovalReceipt
from coach.storage.s3.store import Store, answers

if TYPE_CHECKING:
    from types_boto3_s3.type_defs import ObjectIdentifierTypeDef

_AT_ONCE = 1000
"""The maximum number of keys in one deletion request."""

_NO_VERSIONS = {"NotImplemented", "MethodNotAllowed", "501", "405"}


def remove(store: Store, place: str) -> RemovalReceipt:
    """Delete a name, or all in a place, and list it again. Raises StorageUnavailable."""
    with answers():
        objects, uploads = list(_objects(store, place)), list(_uploads(store, place))
        for first in range(0, len(objects), _AT_ONCE):
            store.client.delete_objects(
                Bucket=store.bucket,
                Delete={"Objects": objects[first : first + _AT_ONCE], "Quiet": True},
            )
        for key, upload_id in uploads:
            _abort(store, key, upload_id)
        left = sum(1 for _each in _objects(store, place))
        left += sum(1 for _each in _uploads(store, place))
    return RemovalReceipt(place=place, objects=len(objects) + len(uploads), left=left)


def _is_in(key: str, place: str) -> bool:
    return key.startswith(place) if place.endswith("/") else key == place


def _objects(store: Store, place: str) -> Iterator[ObjectIdentifierTypeDef]:
    """Yield all versions and delete markers, or plain objects in a bucket without versions."""
    try:
        pages = store.client.get_paginator("list_object_versions").paginate(
            Bucket=store.bucket, Prefix=place
        )
        found = [
            (each["Key"], each["VersionId"])
            for page in pages
            for each in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
        ]
    except ClientError as error:
        if str(error.response.get("Error", {}).get("Code", "")) not in _NO_VERSIONS:
            raise
        yield from _plain_objects(store, place)
        return
    for key, version in found:
        if _is_in(key, place):
            yield {"Key": key, "VersionId": version}


def _plain_objects(store: Store, place: str) -> Iterator[ObjectIdentifierTypeDef]:
    pages = store.client.get_paginator("list_objects_v2").paginate(
        Bucket=store.bucket, Prefix=place
    )
    for page in pages:
        for each in page.get("Contents", []):
            if _is_in(each["Key"], place):
                yield {"Key": each["Key"]}


def _uploads(store: Store, place: str) -> Iterator[tuple[str, str]]:
    # Some stores list uploads by full name only, so we also query the recording's own name.
    names = {place, f"{place}original"} if place.endswith("/") else {place}
    found: set[tuple[str, str]] = set()
    for name in names:
        pages = store.client.get_paginator("list_multipart_uploads").paginate(
            Bucket=store.bucket, Prefix=name
        )
        found |= {
            (each["Key"], each["UploadId"]) for page in pages for each in page.get("Uploads", [])
        }
    return iter(sorted(pair for pair in found if _is_in(pair[0], place)))


def _abort(store: Store, key: str, upload_id: str) -> None:
    try:
        with answers():
            store.client.abort_multipart_upload(Bucket=store.bucket, Key=key, UploadId=upload_id)
    except Gone:
        return
