"""Files that a command hands to whoever called it, and to nobody else on that machine."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def for_oneself(path: str, flags: int) -> int:
    """Opens a file that other accounts may not read; for `open`."""
    return os.open(path, flags, mode=0o600)


@contextmanager
def private_file(target: Path) -> Iterator[IO[bytes]]:
    """A file under its name only once it is whole. Raises OSError before anything was begun."""
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
