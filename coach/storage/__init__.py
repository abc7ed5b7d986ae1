"""Storage of recordings and of the files made from them: one port, two backends.

Files are addressed by name (`places`); only `folder` handles paths, and only `s3` buckets.
Every removal is verified (`port.RemovalReceipt`).
"""

from __future__ import annotations

from coach.storage.factory import storage
from coach.storage.port import (
    Gone,
    RemovalReceipt,
    Storage,
    StorageUnavailable,
    UploadWriter,
    WorkDirectory,
)

__all__ = [
    "Gone",
    "RemovalReceipt",
    "Storage",
    "StorageUnavailable",
    "UploadWriter",
    "WorkDirectory",
    "storage",
]
