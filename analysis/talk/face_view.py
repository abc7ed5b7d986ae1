"""Face view: whether the speaker's face is visible enough to measure its direction."""

from __future__ import annotations

import numpy as np

from analysis.results import Reason, Skipped
from analysis.talk.talk import Talk
from analysis.talk.visual_samples import Flags, VisualSamples, visual_samples

LEAST_FACE_PX = 60.0
"""Face height below which its direction cannot be measured (rule of thumb)."""
LEAST_VISIBLE_SHARE = 0.6
"""Share of speech time with a visible face below which nothing is measured (rule of thumb)."""
_HARDLY_VISIBLE = 0.05
# If two faces have almost the same height for half of the time, the speaker is unknown.
_RIVAL_HEIGHT = 0.7
_RIVAL_SHARE = 0.5
# Measured on deliberately blurred and darkened pictures (n = 17 faces): below this sharpness the
# eyes are off by 6 degrees and more, below this light by 3. `python -m bench watching` measures it
# again.
_LEAST_SHARPNESS = 0.10
_LEAST_LIGHT = 0.04
# Of four videos darkened artificially, with noise, one lost its shoulders from 0.08 down and two
# below 0.03; a lit stage in front of a black wall has 0.12 (rule of thumb).
_DARK = 0.10
# Nobody speaks with the head so far over (rule of thumb).
_LYING_DEGREES = 60.0


def has_face(samples: VisualSamples) -> Flags:
    """Return a flag per sample: the speaker's face was found."""
    return np.isfinite(samples.sight.head[:, 0])


def face_samples(talk: Talk) -> VisualSamples | Skipped:
    """Return the samples of a talk for head and gaze, or why there are none."""
    samples = visual_samples(talk)
    if isinstance(samples, Skipped):
        return samples
    return face_problem(samples) or samples


def face_problem(samples: VisualSamples) -> Skipped | None:
    """Return why head and gaze cannot be measured, or None."""
    if "face" not in samples.sight.watched:
        return Skipped.because(Reason.DISABLED_BY_PROFILE, "face_switched_off")
    return samples.too_short or _visibility_problem(samples) or _quality_problem(samples)


def _visibility_problem(samples: VisualSamples) -> Skipped | None:
    visible = samples.speech_share(has_face(samples))
    if visible >= LEAST_VISIBLE_SHARE:
        return None
    if (lightless := too_dark(samples)) is not None:
        return lightless
    found = samples.sight.face_box[has_face(samples), 3]
    if visible >= _HARDLY_VISIBLE and float(np.median(found)) < LEAST_FACE_PX:
        return _too_small(float(np.median(found)))
    if visible >= _HARDLY_VISIBLE:
        return Skipped.because(
            Reason.LOW_COVERAGE,
            "face_seldom",
            seen=visible,
            base=samples.base,
            needed=LEAST_VISIBLE_SHARE,
        )
    head = implied_head_px(samples)
    if 0 < head < LEAST_FACE_PX:
        return _too_small(head)
    return Skipped.because(Reason.NO_FACE, "face_nowhere", base=samples.base)


def too_dark(samples: VisualSamples) -> Skipped | None:
    """Return a skip if the picture is too dark to find a person, otherwise None."""
    light = float(np.median(samples.sight.light))
    if light < _LEAST_LIGHT:
        return Skipped.because(Reason.POOR_SIGNAL, "picture_black")
    return Skipped.because(Reason.POOR_SIGNAL, "picture_dark") if light < _DARK else None


def lies_on_its_side(samples: VisualSamples) -> bool:
    """Return whether heads are tilted so far that the picture must be rotated."""
    seen = has_face(samples)
    return bool(seen.any() and np.median(np.abs(samples.sight.head[seen, 2])) > _LYING_DEGREES)


ON_ITS_SIDE = Skipped.because(Reason.FRAMING, "picture_on_its_side")


def _quality_problem(samples: VisualSamples) -> Skipped | None:
    sight, seen = samples.sight, has_face(samples)
    if lies_on_its_side(samples):
        return ON_ITS_SIDE
    height = float(np.median(sight.face_box[seen, 3]))
    if height < LEAST_FACE_PX:
        return _too_small(height)
    if len(sight.rival) and samples.speech_share(sight.rival >= _RIVAL_HEIGHT, seen) > _RIVAL_SHARE:
        return Skipped.because(Reason.SEVERAL_FACES, "two_faces")
    if len(sight.face_light) and float(np.nanmedian(sight.face_light)) < _LEAST_LIGHT:
        return Skipped.because(Reason.POOR_SIGNAL, "face_dark")
    if float(np.nanmedian(sight.sharpness)) < _LEAST_SHARPNESS:
        return Skipped.because(Reason.POOR_SIGNAL, "face_blurred")
    return None


def implied_head_px(samples: VisualSamples) -> float:
    """Return the median head height implied by the pose, in source pixels; 0 if unknown."""
    left, right = samples.sight.pose[:, 3], samples.sight.pose[:, 4]
    clear = (left[:, 2] > 0.5) & (right[:, 2] > 0.5)
    width = samples.picture_width
    if not clear.any() or width is None:
        return 0.0
    # Shoulder joints are about two face heights apart (rule of thumb).
    return float(np.median(np.hypot(*(left - right)[clear, :2].T)) * width / 2)


def _too_small(height: float) -> Skipped:
    return Skipped.because(Reason.FACE_TOO_SMALL, "face_small", height=height, needed=LEAST_FACE_PX)
