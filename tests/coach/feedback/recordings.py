"""Recordings made on the spot."""

from __future__ import annotations

import numpy as np

RATE_HZ = 16_000


def wav_bytes(seconds: float, *, width: int = 2) -> bytes:
    """A quiet hum as PCM: sound, but no speech. Browsers play 2 bytes a sample, and not 4."""
    t = np.arange(int(seconds * RATE_HZ)) / RATE_HZ
    loudness = 3000 << 8 * (width - 2)
    samples = (loudness * np.sin(2 * np.pi * 110 * t)).astype(f"<i{width}").tobytes()
    header = b"RIFF" + (36 + len(samples)).to_bytes(4, "little") + b"WAVEfmt "
    header += (16).to_bytes(4, "little") + (1).to_bytes(2, "little") * 2
    header += RATE_HZ.to_bytes(4, "little") + (width * RATE_HZ).to_bytes(4, "little")
    header += width.to_bytes(2, "little") + (8 * width).to_bytes(2, "little")
    return header + b"data" + len(samples).to_bytes(4, "little") + samples
