"""The scratch folder: what is on its way here goes with its process, also where that is killed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings

from analysis.backends.scratch import clear_away, scratch_folder

_OF_FORMS = "tmp*.upload*"
"""How Django names the files of a form on their way."""
_LONGEST_FORM_SECONDS = 24 * 3600.0
"""Nobody sends a form for a day (rule of thumb); what is older was left behind."""


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for this process alone; what killed ones left behind is removed first."""
    settings.SCRATCH_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
    with scratch_folder(settings.SCRATCH_DIR) as folder:
        yield folder


def clear_scratch() -> None:
    """Remove what killed processes left on this machine: it holds words and recordings."""
    clear_away(settings.SCRATCH_DIR)
    long_ago = time.time() - _LONGEST_FORM_SECONDS
    for path in settings.SCRATCH_DIR.glob(_OF_FORMS):
        with suppress(OSError):  # its form has just ended, or another account owns it
            if path.stat().st_mtime < long_ago:
                path.unlink()
