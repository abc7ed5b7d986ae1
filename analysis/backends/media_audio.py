"""Decodes the sound of a recording to a raw file of 16 kHz mono samples, and maps that file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from analysis.ports import FloatArray


def read_audio(path: Path) -> FloatArray:
    """The samples of a raw float32 file, mapped into memory: only what is looked at is loaded."""
    if path.stat().st_size < 4:
        return np.zeros(0, dtype=np.float32)
    return np.memmap(path, dtype="<f4", mode="r")
