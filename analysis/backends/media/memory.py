"""Memory limits for decoding: a file of two megabytes can need gigabytes of pictures.

A decoder keeps up to sixteen reference pictures and one per thread, and their size is known only
while decoding. Large pictures therefore get few threads, and the memory of the process is checked
on the way.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from contextlib import suppress
from pathlib import Path

from analysis.errors import MediaTooLarge

MOST_RESIDENT_BYTES = 1500 * 1024**2
"""Limit for the whole process. An 8K talk from a phone takes about 1,100 MB with the landmarkers; a
worker in docker-compose.yml has 2 GB.
"""

_LEAST_GROWTH_BYTES = 700 * 1024**2
"""Memory that decoding may always take, even in a process that was large before."""

_FULL_HD, _UHD = 1920 * 1200, 4096 * 2304

# Each takes 110 to 180 MB with its landmarkers at 720p; one alone 370 MB.
_MOST_DECODERS = 4

_M_ARENA_MAX = -8
_STATM = Path("/proc/self/statm")


def threads_for(pixels: int) -> int:
    """Return the number of decoder threads for pictures of this size; 0 leaves
    it to the decoder.
    """
    if pixels > _UHD:
        return 1
    return 2 if pixels > _FULL_HD else 0


def decoders_for(pixels: int) -> int:
    """Return how many parts of a recording with pictures of this size may be decoded at once."""
    if pixels > _UHD:
        return 1
    return 2 if pixels > _FULL_HD else _MOST_DECODERS


def resident_bytes() -> int:
    """Return the resident memory of this process; its peak if the system does not report it."""
    try:
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def give_back_freed() -> None:
    """Return memory freed by libraries to the system, and let their threads share heaps.

    Without this, each reopened landmarker leaves about 3 MB behind in heaps of finished threads.
    """
    with suppress(OSError, AttributeError):  # only glibc has these calls
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_ARENA_MAX, 2)
        libc.malloc_trim(0)


class MemoryGuard:
    """Guard that stops decoding before it takes more memory than a worker has."""

    def __init__(self) -> None:
        self._most = max(MOST_RESIDENT_BYTES, resident_bytes() + _LEAST_GROWTH_BYTES)

    def check(self) -> None:
        """Raise MediaTooLarge if the limit is exceeded."""
        if resident_bytes() > self._most:
            raise MediaTooLarge("picture_takes_memory")
