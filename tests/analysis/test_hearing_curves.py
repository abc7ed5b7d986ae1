"""The two formulas beside the library that they were taken over from, bit by bit."""

from __future__ import annotations

import librosa
import numpy as np
import pytest

from analysis.backends.hearing_curves import a_weighting_db, ear_bands
from analysis.ports import SAMPLE_RATE_HZ


@pytest.mark.parametrize(
    ("count", "window", "lowest_hz", "highest_hz"),
    [(40, 512, 80.0, 7600.0), (24, 512, 100.0, 7000.0)],
)
def test_bands_are_those_of_slaney(
    count: int, window: int, lowest_hz: float, highest_hz: float
) -> None:
    ours = ear_bands(count=count, window=window, lowest_hz=lowest_hz, highest_hz=highest_hz)
    theirs = librosa.filters.mel(
        sr=SAMPLE_RATE_HZ, n_fft=window, n_mels=count, fmin=lowest_hz, fmax=highest_hz
    )
    assert ours.dtype == theirs.dtype
    assert np.array_equal(ours, theirs)


def test_the_a_curve_is_that_of_the_standard() -> None:
    hz = np.maximum(np.fft.rfftfreq(800, 1 / SAMPLE_RATE_HZ), 1.0)
    assert np.array_equal(a_weighting_db(hz), librosa.A_weighting(hz))
    # Corners of IEC 61672-1, table 3, which rounds to a tenth of a dB.
    nominal = a_weighting_db(10.0 ** np.array([2.0, 3.0, 3.6]))
    assert nominal == pytest.approx([-19.1, 0.0, 1.0], abs=0.05)
