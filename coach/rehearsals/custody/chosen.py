"""Which custody this site has: ROSTRUM_CUSTODY decides."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from coach.rehearsals.custody.folder import FolderCustody
from coach.rehearsals.custody.port import Custody


def custody() -> Custody:
    """The place of this site's recordings."""
    return FolderCustody(Path(settings.MEDIA_ROOT))
