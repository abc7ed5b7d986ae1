"""Recordings made on the spot."""

from __future__ import annotations

import numpy as np

RATE_HZ = 16_000


def wav_bytes(seconds: float) -> bytes:
    """A quiet hum as 16-bit PCM: sound, but no speech."""
    t = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    samples = (3000 * np.sin(2 * np.pi * 110 * t)).astype("<i2").tobytes()
    header = b"RIFF" + (36 + len(samples)).to_bytes(4, "little") + b"WAVEfmt "
    header += (16).to_bytes(4, "little") + (1).to_bytes(2, "little") * 2
    header += RATE_HZ.to_bytes(4, "little") + (2 * RATE_HZ).to_bytes(4, "little")
    header += (2).to_bytes(2, "little") + (16).to_bytes(2, "little")
    return header + b"data" + len(samples).to_bytes(4, "little") + samples
