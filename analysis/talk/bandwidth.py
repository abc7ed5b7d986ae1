"""Bandwidth: recordings without content above about 4 kHz, as through a telephone or a mask."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import fft

from analysis.ports import Sound, Span
from analysis.talk import spans

_BANDS, _MIDDLE, _HIGH = 40, slice(10, 22), slice(33, 40)
"""Bands of 0.8 to 2 kHz and of above 4.3 kHz, among the 40 bands of timbre."""
_PERCENT = 95
_NARROW_DB = -31.0
"""Limit of the ratio. Of 61 real recordings, 17 through a telephone are at -50 dB and below and one
of 1961 at -45; all others are at -27 and above (docs/lab/noise.md).
"""


def is_narrow(speech: Sequence[Span], sound: Sound) -> bool:
    """Return whether the loudest high bands are far below the loudest middle ones.

    The loudest of each are compared, not frame by frame: an s is loud above and empty in the
    middle.
    """
    inside = spans.frames_inside(speech, step=sound.step, count=len(sound.level_db))
    inside &= np.isfinite(sound.level_db)
    if not sound.timbre.size or not inside.any():
        return False
    shape = np.zeros((int(inside.sum()), _BANDS))
    shape[:, 1 : 1 + sound.timbre.shape[1]] = sound.timbre[inside]
    power = np.exp(fft.idct(shape, axis=1, norm="ortho"))
    energy = 10 ** (sound.level_db[inside].astype(np.float64) / 10)
    power *= (energy / power.sum(axis=1))[:, None]
    high, middle = (
        float(np.percentile(power[:, part].mean(axis=1), _PERCENT)) for part in (_HIGH, _MIDDLE)
    )
    return middle > 0 and 10 * math.log10(max(high / middle, 1e-12)) < _NARROW_DB
