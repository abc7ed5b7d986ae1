"""Head direction: yaw and pitch while the person speaks."""

from __future__ import annotations

import numpy as np

from analysis.ports import Measured
from analysis.results import Measurement, Quality, Skipped
from analysis.talk.face_view import face_samples, has_face
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import CENTRAL, Numbers, VisualSamples, weighted_median

YAW, PITCH = "head.yaw_degrees", "head.pitch_degrees"
# Our median error on labelled pictures is about 3 degrees. It is constant within a recording, so
# resampling cannot show it (docs/lab/watching.md).
_BIAS_DEGREES = 3.0
_DRAWS = 200
_BLOCK_SECONDS = 5


class HeadDirection:
    """Analyser of the median yaw and pitch during speech."""

    name = "head"
    provides: tuple[str, ...] = (YAW, PITCH)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        samples = face_samples(talk)
        if isinstance(samples, Skipped):
            return Measured(skipped=dict.fromkeys(self.provides, samples))
        sign = -1.0 if talk.options.mirrored else 1.0
        angles = {
            YAW: sign * samples.sight.head[:, 0].astype(np.float64),
            PITCH: samples.sight.head[:, 1].astype(np.float64),
        }
        return Measured(
            measurements={key: _median(samples, values) for key, values in angles.items()},
            tracks={
                "head.yaw": samples.track(angles[YAW], "degrees"),
                "head.pitch": samples.track(angles[PITCH], "degrees"),
            },
        )


def _median(samples: VisualSamples, values: Numbers) -> Measurement:
    spoken = np.isfinite(values) & (samples.speech > 0)
    seconds = samples.medians(np.where(spoken, values, np.nan))
    seconds = seconds[np.isfinite(seconds)]
    low, high = np.percentile(_resampled_medians(seconds), CENTRAL)
    coverage = samples.speech_share(has_face(samples))
    return Measurement(
        value=weighted_median(values[spoken], samples.speech[spoken]),
        unit="degrees",
        n=int(spoken.sum()),
        coverage=min(1.0, coverage),
        quality=Quality.GOOD if coverage >= 0.8 else Quality.FAIR,
        interval=(float(low) - _BIAS_DEGREES, float(high) + _BIAS_DEGREES),
    )


def _resampled_medians(seconds: Numbers) -> Numbers:
    """Return medians over resampled blocks of seconds; the seed is fixed."""
    block = max(1, min(_BLOCK_SECONDS, len(seconds) // 2))
    generator = np.random.default_rng(1)
    starts = generator.integers(
        0, len(seconds) - block + 1, size=(_DRAWS, -(-len(seconds) // block))
    )
    chosen = (starts[:, :, None] + np.arange(block)).reshape(_DRAWS, -1)
    medians: Numbers = np.median(seconds[chosen], axis=1)
    return medians
