"""Sounds and arrays of benchmarks: written, cached and put into a quiet room."""

from __future__ import annotations

import os
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.ports import FloatArray

FULL_SCALE = 32767
_PEAK, _ROOM_DB = 0.5, -62.0


def whole_numbers(sound: FloatArray) -> NDArray[np.int16]:
    """Return the samples in 16 bits; samples above full scale are clipped."""
    return (np.clip(sound, -1, 1) * FULL_SCALE).astype(np.int16)


def from_whole_numbers(samples: NDArray[Any]) -> FloatArray:
    """Return the sound of these 16-bit samples."""
    sound: FloatArray = samples.astype(np.float32) / np.float32(FULL_SCALE)
    return sound


def write_wave(path: Path, sound: FloatArray, rate_hz: int) -> None:
    """Write a mono file of 16 bits."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(whole_numbers(sound).tobytes())


def in_a_room(sound: FloatArray, *, seed: int = 1) -> FloatArray:
    """Return the sound at the level of a good recording, in a quiet room.

    Without any noise, a recording sounds switched off between words.
    """
    noise = np.random.default_rng(seed).standard_normal(len(sound)).astype(np.float32)
    loud = sound * np.float32(_PEAK / max(float(np.abs(sound).max()), 1e-9))
    room: FloatArray = loud + noise * np.float32(10 ** (_ROOM_DB / 20))
    return room


def kept(place: Path, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return the array in this file, computed and written if missing."""
    if not place.is_file():
        place.parent.mkdir(parents=True, exist_ok=True)
        made = make()
        part = place.with_suffix(f".{os.getpid()}.part")  # another process may make it, too
        with part.open("wb") as file:
            np.save(file, made)
        part.replace(place)
    array: NDArray[Any] = np.load(place)
    return array
