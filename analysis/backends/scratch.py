"""Scratch directory for decoded sound, deleted however the process ends."""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "rostrum-analysis-"
_LOCK = "in-use"


@contextmanager
def scratch_folder(place: Path | None = None) -> Iterator[Path]:
    """Yield a scratch directory for this process; also remove directories left by killed processes.

    It is created in `place`, or in the system's temporary directory. A lock, released by the system
    with its process, shows which directories are in use.
    """
    place = place or Path(tempfile.gettempdir())
    clear_away(place)
    fresh = Path(tempfile.mkdtemp(prefix=f"new-{PREFIX}", dir=place))
    with (fresh / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # The final name only once it is locked; otherwise another start could remove it.
        folder = fresh.rename(fresh.with_name(fresh.name.removeprefix("new-")))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def clear_away(place: Path) -> None:
    """Remove the scratch directories of killed processes."""
    for lock in place.glob(f"{PREFIX}*/{_LOCK}"):
        try:
            with lock.open("r+") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:  # in use, owned by another user, or already removed
            continue
