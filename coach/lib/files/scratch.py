"""Scratch directory: temporary files are deleted with their process, even if that is killed."""

from __future__ import annotations

import errno
import fcntl
import logging
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from django.conf import settings

from analysis.backends.scratch import clear_away, scratch_folder

log = logging.getLogger(__name__)

_OF_FORMS = "tmp*.upload*"
"""How Django names the files of a form on their way."""
_UNLOCKED = "rostrum-unlocked-"
"""How a folder is named where nothing says whether its process still lives."""
_LONGEST_SECONDS = 24 * 3600.0
"""Nobody sends a form for a day, and nothing else takes as long (rule of thumb); what is older was
left behind."""
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}


@contextmanager
def scratch() -> Iterator[Path]:
    """Create a scratch directory for this process; first delete those of killed processes."""
    place = settings.SCRATCH_DIR
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    with scratch_folder(place) if _knows_locks(place) else _unlocked_folder(place) as folder:
        yield folder


def clear_scratch() -> None:
    """Delete the temporary files of killed processes on this machine: they contain words
    and recordings.
    """
    place = settings.SCRATCH_DIR
    clear_away(place)
    long_ago = time.time() - _LONGEST_SECONDS
    for path in (*place.glob(_OF_FORMS), *place.glob(f"{_UNLOCKED}*")):
        with suppress(OSError):  # its form has just ended, or another account owns it
            if path.stat().st_mtime >= long_ago:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


@cache
def _knows_locks(place: Path) -> bool:
    """Return whether the file system supports locks; some network file systems do not."""
    with tempfile.TemporaryFile(dir=place) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            if problem.errno not in _NO_LOCKS:
                raise
            log.warning(
                "the file system of %s has no locks (%s): what a killed process leaves there goes "
                "after a day instead of within the hour",
                *(place, problem.strerror),
            )
            return False
    return True


@contextmanager
def _unlocked_folder(place: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=_UNLOCKED, dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
