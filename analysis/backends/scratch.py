"""A temporary folder for somebody's voice: it goes with us, however we go."""

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
    """A folder for this process alone; what killed ones left behind is removed first.

    It lies in `place`, or where the system keeps what passes.
    A lock that the system drops with its process tells which folders are still in use.
    """
    place = place or Path(tempfile.gettempdir())
    clear_away(place)
    fresh = Path(tempfile.mkdtemp(prefix=f"new-{PREFIX}", dir=place))
    with (fresh / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Under its lasting name only now that it is locked: else another start may remove it.
        folder = fresh.rename(fresh.with_name(fresh.name.removeprefix("new-")))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def clear_away(place: Path) -> None:
    """Remove the folders of processes that were killed."""
    for lock in place.glob(f"{PREFIX}*/{_LOCK}"):
        try:
            with lock.open("r+") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:  # in use, somebody else's, or gone meanwhile
            continue
