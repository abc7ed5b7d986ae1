"""Storage of recordings and of the files made from them: one port, two backends.

Everything has a name (`places`); only `folder` knows what a path is, only `s3` what a bucket is.
What is removed is proven to be gone (`port.Receipt`).
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
