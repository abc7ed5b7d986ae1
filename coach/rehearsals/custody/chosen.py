"""Which custody this site has: ROSTRUM_CUSTODY decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from django.conf import settings
from django.utils.module_loading import import_string

from coach.rehearsals.custody.folder import FolderCustody
from coach.rehearsals.custody.port import Custody


def _folder() -> Custody:
    return FolderCustody(Path(settings.MEDIA_ROOT))


def _s3() -> Custody:
    # A site with a folder does not load what talks to a store.
    made: Custody = import_string("coach.rehearsals.custody.s3.custody.of_this_site")()
    return made


_CHOICES: Mapping[str, Callable[[], Custody]] = {"folder": _folder, "s3": _s3}


def custody() -> Custody:
    """The place of this site's recordings."""
    return custody_named(settings.CUSTODY)


def custody_named(name: str) -> Custody:
    """One of the two; a site that changes from one to the other needs both."""
    return _CHOICES[name]()
