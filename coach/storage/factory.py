"""The choice of storage backend, by the setting ROSTRUM_CUSTODY."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from django.conf import settings
from django.utils.module_loading import import_string

from coach.storage.folder import FolderStorage
from coach.storage.port import Storage


def _folder() -> Storage:
    return FolderStorage(Path(settings.MEDIA_ROOT))


def _s3() -> Storage:
    # A site with folder storage does not import the S3 client.
    made: Storage = import_string("coach.storage.s3.backend.of_this_site")()
    return made


_CHOICES: Mapping[str, Callable[[], Storage]] = {"folder": _folder, "s3": _s3}


def storage() -> Storage:
    """Return the storage backend of this site."""
    return storage_named(settings.CUSTODY)


def storage_named(name: str) -> Storage:
    """Return the storage backend of this name; a migration needs both. Raises KeyError."""
    return _CHOICES[name]()
