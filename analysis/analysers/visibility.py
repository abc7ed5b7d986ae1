"""Whether the speaker can be seen at all."""

from __future__ import annotations

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.face_view import has_face
from analysis.talk.talk import Talk
from analysis.talk.watched import Watched, episodes, runs, settled, share_interval, watched

SHARE = "signal.face_visible_share"
# Two seconds without a face is more than a missed detection or a turn of the head (rule of thumb).
_GONE_SECONDS = 2.0
_HOLD_SECONDS = 0.3


class Visibility:
    """The share of speech with a visible face, and the times without the speaker."""

    name = "visibility"
    provides: tuple[str, ...] = (SHARE,)

    def measure(self, talk: Talk) -> Measured:
        """Measure or skip."""
        samples = watched(talk)
        if isinstance(samples, Skipped):
            return Measured(skipped={SHARE: samples})
        if "face" not in samples.sight.watched:
            return Measured(
                skipped={SHARE: Skipped.because(Reason.DISABLED_BY_PROFILE, "face_switched_off")}
            )
        seen = has_face(samples)
        known = np.ones(len(seen), dtype=bool)
        value = samples.speech_share(seen)
        return Measured(
            measurements={
                SHARE: Measurement(
                    value=value,
                    unit="share",
                    n=len(seen),
                    coverage=1.0,
                    quality=Quality.GOOD if samples.has_sound else Quality.FAIR,
                    interval=share_interval(samples, seen, known),
                )
            },
            events=_out_of_view(samples),
            tracks={"gaze.face_visible": samples.share_track(seen.astype(np.float64))},
        )


def _out_of_view(samples: Watched) -> tuple[Event, ...]:
    """Times with neither a face nor a clear body: somebody turned round is still in view."""
    shoulders = samples.sight.pose[:, 3:5, 2]
    present = has_face(samples) | (shoulders > 0.5).all(axis=1)
    state = settled(present.astype(np.float64), samples.seconds, hold=_HOLD_SECONDS)
    gone = state == 0
    if not any(True for _ in runs(gone)):
        return ()
    return tuple(
        Event(kind="out_of_view", start=start, end=end)
        for _, _, start, end in episodes(samples, gone, shortest=_GONE_SECONDS)
    )
