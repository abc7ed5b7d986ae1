"""How much memory decoding may take: a file of two megabytes can want gigabytes of pictures.

A decoder keeps up to sixteen pictures to predict from and one for each of its threads; how large
they are, only decoding shows. So threads are few where pictures are large, and what the process
holds is looked at on the way.
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
"""Of the whole process. An 8K talk from a phone takes about 1,100 MB with the landmarkers; a worker
in docker-compose.yml has 2 GB."""

_LEAST_GROWTH_BYTES = 700 * 1024**2
"""What decoding may take in any case, in a process that was large before."""

_FULL_HD, _UHD = 1920 * 1200, 4096 * 2304

# Each takes 110 to 180 MB with its landmarkers at 720p; one alone 370 MB.
_MOST_DECODERS = 4

_M_ARENA_MAX = -8
_STATM = Path("/proc/self/statm")


def threads_for(pixels: int) -> int:
    """How many threads decode pictures of this size; 0 leaves it to the decoder."""
    if pixels > _UHD:
        return 1
    return 2 if pixels > _FULL_HD else 0


def decoders_for(pixels: int) -> int:
    """How many places of a recording with pictures of this size may be decoded at once."""
    if pixels > _UHD:
        return 1
    return 2 if pixels > _FULL_HD else _MOST_DECODERS


def resident_bytes() -> int:
    """What this process holds now; at most so far, where the system does not say."""
    try:
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


def give_back_freed() -> None:
    """Hand what libraries have freed back to the system, and let their threads share heaps.

    A landmarker that is opened again and again leaves about 3 MB behind each time without this, in
    heaps of threads that are gone.
    """
    with suppress(OSError, AttributeError):  # only glibc knows the calls
        libc = ctypes.CDLL(None)
        libc.mallopt(_M_ARENA_MAX, 2)
        libc.malloc_trim(0)


class MemoryGuard:
    """Stops decoding before it takes more than a worker has."""

    def __init__(self) -> None:
        self._most = max(MOST_RESIDENT_BYTES, resident_bytes() + _LEAST_GROWTH_BYTES)

    def check(self) -> None:
        """Raises MediaTooLarge."""
        if resident_bytes() > self._most:
            raise MediaTooLarge("picture_takes_memory")
