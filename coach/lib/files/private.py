"""Files written by a command that only the calling account can read."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def for_oneself(path: str, flags: int) -> int:
    """Open a file with permissions for the owner only; an `opener` for `open`."""
    return os.open(path, flags, mode=0o600)


@contextmanager
def private_file(target: Path) -> Iterator[IO[bytes]]:
    """Write a file under a temporary name and rename it once complete. Raises OSError before it
    begins.

    A failure leaves no partial file.
    """
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    partial = target.with_name(f"{target.name}.part")
    partial.unlink(missing_ok=True)
    try:
        with open(partial, "xb", opener=for_oneself) as file:
            yield file
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
