"""Visibility: share of speech with a visible face, and times out of view."""

from __future__ import annotations

import numpy as np

from analysis.ports import Measured
from analysis.results import Event, Measurement, Quality, Reason, Skipped
from analysis.talk.face_view import has_face
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import (
    Flags,
    VisualSamples,
    episodes,
    runs,
    share_interval,
    smooth_states,
    visual_samples,
)

SHARE = "signal.face_visible_share"
# Shortest absence: two seconds without a face is more than a missed detection or a turn of the head
# (rule of thumb).
_GONE_SECONDS = 2.0
_HOLD_SECONDS = 0.3
# A video that cuts to slides shows nobody for at least this long. At the cut the background cannot
# be matched or seems to jump (in picture widths), while for two seconds on the speaker's side it is
# mostly still. A black picture is a covered lens. If almost nothing is left, the subject of the
# video is unknown (rules of thumb).
_CUTAWAY_SECONDS = 5.0
_JUMP, _STANDS = 0.015, 0.005
_AT_THE_CUT, _BESIDE_IT, _MATCHED = 2, 10, 0.6
_LIT = 0.04
_NEARLY_ALL = 0.9


class Visibility:
    """Analyser of the share of speech with a visible face, and of times without the speaker."""

    name = "visibility"
    provides: tuple[str, ...] = (SHARE,)

    def measure(self, talk: Talk) -> Measured:
        """Return the measurements, or a reason for each metric that is skipped."""
        samples = visual_samples(talk)
        if isinstance(samples, Skipped):
            return Measured(skipped={SHARE: samples})
        if "face" not in samples.sight.watched:
            return Measured(
                skipped={SHARE: Skipped.because(Reason.DISABLED_BY_PROFILE, "face_switched_off")}
            )
        seen, elsewhere = has_face(samples), cutaways(samples)
        known = ~elsewhere
        return Measured(
            measurements={
                SHARE: Measurement(
                    value=samples.speech_share(seen, known),
                    unit="share",
                    n=int(known.sum()),
                    coverage=samples.speech_share(known),
                    quality=Quality.GOOD if samples.has_sound else Quality.FAIR,
                    interval=share_interval(samples, seen, known),
                )
            },
            events=_out_of_view(samples, elsewhere),
            tracks={"gaze.face_visible": samples.share_track(seen.astype(np.float64))},
        )


def cutaways(samples: VisualSamples) -> Flags:
    """Return a flag per sample: the video shows something else, such as slides.

    A speaker who walks out leaves the same room behind; a video that cuts does not.
    """
    light, found = samples.sight.light, np.zeros(len(samples.times), dtype=bool)
    for first, behind, _, _ in episodes(
        samples, _is_out_of_view(samples), shortest=_CUTAWAY_SECONDS
    ):
        ends = []
        if first > 0:
            ends.append(_is_cut(samples, first, before=True))
        if behind < len(found):
            ends.append(_is_cut(samples, behind, before=False))
        is_lit = float(np.median(light[first:behind])) >= _LIT
        found[first:behind] = is_lit and bool(ends) and all(ends)
    return found if samples.speech_share(found) < _NEARLY_ALL else np.zeros_like(found)


def _is_cut(samples: VisualSamples, at: int, *, before: bool) -> bool:
    """Return whether the scene changes at sample `at`; `before` if the speaker's side is the
    earlier one.
    """
    shift = np.hypot(*samples.sight.camera_shift.T)
    near = shift[max(at - _AT_THE_CUT, 0) : at + _AT_THE_CUT + 1]
    end, start = max(at - _AT_THE_CUT, 0), at + _AT_THE_CUT + 1
    beside = shift[max(end - _BESIDE_IT, 0) : end] if before else shift[start : start + _BESIDE_IT]
    jumps = not np.isfinite(near).all() or float(near.max()) >= _JUMP
    return jumps and len(beside) > 0 and float((beside <= _STANDS).mean()) >= _MATCHED


def _is_out_of_view(samples: VisualSamples) -> Flags:
    """Return a flag per sample: neither a face nor a clear body; a person seen from behind is in
    view.
    """
    shoulders = samples.sight.pose[:, 3:5, 2]
    present = has_face(samples) | (shoulders > 0.5).all(axis=1)
    state = smooth_states(present.astype(np.float64), samples.seconds, hold=_HOLD_SECONDS)
    gone: Flags = state == 0
    return gone


def _out_of_view(samples: VisualSamples, elsewhere: Flags) -> tuple[Event, ...]:
    """Return events for times without the speaker, cutaways excluded."""
    gone = _is_out_of_view(samples) & ~elsewhere
    if not any(True for _ in runs(gone)):
        return ()
    return tuple(
        Event(kind="out_of_view", start=start, end=end)
        for _, _, start, end in episodes(samples, gone, shortest=_GONE_SECONDS)
    )
