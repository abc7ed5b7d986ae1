"""Camera facing of head and eyes: limits, the speaker's own zero, and the decision.

Angles are relative to the line from the face to the camera: yaw positive to the left of the
picture, pitch positive up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.ports import Options, Sight
from analysis.results import Note
from analysis.talk.visual_samples import Flags, Numbers, VisualSamples, runs

CLOSED_FROM = 0.45
"""Blink score from which an eye is closed: open eyes stay below 0.3, closed ones above 0.55."""
LEAST_EYE_CONTRAST = 0.15
"""Eye contrast below which eyes cannot be read.

Measured with glasses painted increasingly bright or dark (n = 220 pictures): below it the eyes are
off by 8 to 15 degrees in one sample of ten, and closed ones pass for open; above it by 4 to 8. Bare
eyes, open or closed, stay above 0.33, and above 0.25 throughout recordings.
"""
BLINK_SECONDS = 0.4
"""Longest closure that is a blink and says nothing about gaze (rule of thumb)."""
HOLD_SECONDS = 0.3
"""Shortest duration of a change of state (rule of thumb)."""

# The mode of the gaze is the speaker's zero only if at least this share of the speech is within
# _NEAR degrees of it, over at least _LEAST_SECONDS. Rules of thumb.
_LEAST_CONCENTRATION = 0.3
_NEAR_DEGREES = 8.0
_LEAST_SECONDS = 10.0
_KERNEL_DEGREES = 3.0
_MOST_POINTS = 1500


@dataclass(frozen=True, slots=True)
class FacingLimits:
    """Limits of head and eye angles around the zero, in degrees; all positive.

    `zero_*` limit the personal zero, about three SD of people facing their camera: a mode further
    off is not facing.
    """

    yaw: float
    down: float
    up: float
    head_yaw: float
    uses_eyes: bool = True
    zero_yaw: float = 6.0
    zero_down: float = 10.0
    zero_up: float = 10.0

    def widened(self, degrees: float) -> FacingLimits:
        """Return the limits, each wider by this many degrees."""
        return replace(
            self,
            yaw=max(1.0, self.yaw + degrees),
            down=max(1.0, self.down + degrees),
            up=max(1.0, self.up + degrees),
            head_yaw=max(1.0, self.head_yaw + degrees),
        )

    def halved(self) -> FacingLimits:
        """Return the tolerance of listeners, without the margin for errors of a single estimate."""
        return replace(self, yaw=self.yaw / 2, down=self.down / 2, up=self.up / 2)


# Camera: head within 15 and 12 degrees (rules of thumb). With known eyes the sideways limit is 8:
# listeners accept about 4 (Horstmann & Linke, 2022), and 4 is the 95% error of our estimate on 15
# recordings of people facing their camera (SD 1.9 between people, 1.5 within;
# docs/lab/watching.md). Up and down remain 12: listeners mind a gaze below the eyes less (Chen,
# 2002) and our estimate has a larger error (SD 3.4). Stage: the head alone, 35 degrees sideways
# and 15 down (rules of thumb); above there is no audience to miss.
_CAMERA = FacingLimits(yaw=8.0, down=12.0, up=12.0, head_yaw=15.0)
_STAGE = FacingLimits(yaw=35.0, down=15.0, up=60.0, head_yaw=35.0, uses_eyes=False, zero_yaw=20.0)
# A camera above or below the eyes sees a person reading the screen from there: half a screen's
# height at arm's length is about 10 degrees (rule of thumb). The same for one at the side.
_PLACE_DEGREES = 10.0


def limits_for(options: Options) -> FacingLimits:
    """Return the limits for the setting and the camera position."""
    limits = _STAGE if options.setting == "stage" else _CAMERA
    position = options.camera_position
    if options.camera_in_front is not None and position == "side":
        position = None  # the answer about this take is more specific
    match position:
        case "above":
            return replace(
                limits,
                down=limits.down + _PLACE_DEGREES,
                zero_down=limits.zero_down + _PLACE_DEGREES,
            )
        case "below":
            return replace(
                limits, up=limits.up + _PLACE_DEGREES, zero_up=limits.zero_up + _PLACE_DEGREES
            )
        case "side":
            return replace(
                limits,
                yaw=limits.yaw + _PLACE_DEGREES,
                head_yaw=limits.head_yaw + _PLACE_DEGREES,
                zero_yaw=limits.zero_yaw + _PLACE_DEGREES,
            )
        case _:
            return limits


@dataclass(frozen=True, slots=True)
class Gaze:
    """Direction of head and eyes in each sample, in degrees; NaN without a face."""

    yaw: Numbers
    pitch: Numbers
    has_eyes: Flags
    is_closed: Flags
    """Whether the eyes are closed for longer than a blink."""


@dataclass(frozen=True, slots=True)
class Zero:
    """Direction of this speaker's gaze when facing the camera, with
    its uncertainty (SD, degrees).
    """

    yaw: float
    pitch: float
    yaw_spread: float
    pitch_spread: float
    source: Literal["calibration", "talk", "usual", "answer"]
    n: int = 0
    """Number of samples used."""
    note: Note | None = None

    @property
    def is_personal(self) -> bool:
        """Return whether it was found in this recording."""
        return self.source != "usual"


# Without a personal zero: spread between people who face their camera (n = 15 recordings: SD 1.9
# and 3.4; slightly more here, since 15 are few). A personal zero removes most of it.
POPULATION_ZERO = Zero(0.0, 0.0, 2.5, 4.0, source="usual")
_PERSONAL_SPREAD = (1.5, 2.5)
# Three seconds of looking into the lens leave little uncertainty, which grows with the gaze
# movement in them: one independent look per second. A median further off than the head limit means
# that the person looked at something else (rules of thumb).
_CALIBRATED_SPREAD = (1.0, 1.5)
_LEAST_CALIBRATION = 5
_FARTHEST_LENS = 15.0
_NO_CALIBRATION = Note.of("lens_without_face")
_LOOKED_ELSEWHERE = Note.of("lens_looked_elsewhere")


def gaze_of(samples: VisualSamples, options: Options, limits: FacingLimits) -> Gaze:
    """Return the direction of head plus eyes, with blinks bridged and mirrored video corrected."""
    sight = samples.sight
    sign = -1.0 if options.mirrored else 1.0
    head = sight.head.astype(np.float64)
    eyes = sight.eyes.astype(np.float64)
    hidden = hides_eyes(sight)
    has_eyes = np.isfinite(eyes[:, 0]) & limits.uses_eyes & ~hidden
    added = np.where(has_eyes[:, None], eyes, 0.0)
    yaw, pitch = sign * (head[:, 0] + added[:, 0]), head[:, 1] + added[:, 1]
    closed = (np.nan_to_num(sight.blink, nan=0.0) > CLOSED_FROM) & ~hidden
    blinks = np.zeros_like(closed)
    for first, behind in runs(closed):
        if samples.seconds[first:behind].sum() <= BLINK_SECONDS + 1e-6:
            blinks[first:behind] = True
    return Gaze(
        yaw=_filled_gaps(yaw, blinks),
        pitch=_filled_gaps(pitch, blinks),
        has_eyes=has_eyes,
        is_closed=closed & ~blinks & limits.uses_eyes,
    )


def hides_eyes(sight: Sight) -> Flags:
    """Return a flag per sample: reflecting or dark glasses hide the eyes."""
    if not len(sight.eye_contrast):
        return np.zeros(len(sight.times), dtype=np.bool_)
    hidden: Flags = np.nan_to_num(sight.eye_contrast, nan=1.0) < LEAST_EYE_CONTRAST
    return hidden


def _filled_gaps(values: Numbers, gaps: Flags) -> Numbers:
    """Fill gaps with the sample before them, or at the start with the one after."""
    result = values.copy()
    for first, behind in runs(gaps):
        source = first - 1 if first > 0 else behind
        if source < len(result):
            result[first:behind] = np.where(
                np.isfinite(values[first:behind]), result[source], np.nan
            )
    return result


@dataclass(frozen=True, slots=True)
class RestingDirection:
    """Most frequent direction of head and eyes during speech, in degrees from the
    line to the lens.
    """

    yaw: float
    pitch: float
    share: float
    """Share of speaking time within 8 degrees of it."""
    n: int

    @property
    def is_steady(self) -> bool:
        """Return whether its share is large enough to be what the speaker looked at."""
        return self.share >= _LEAST_CONCENTRATION

    def can_be_lens(self, limits: FacingLimits) -> bool:
        """Return whether people who face their camera can be seen to look there."""
        is_level = -limits.zero_down <= self.pitch <= limits.zero_up
        return is_level and abs(self.yaw) <= limits.zero_yaw

    def is_aside(self, zero: Zero, limits: FacingLimits) -> bool:
        """Return whether a person looking there looks past a lens at `zero`.

        Half of each limit is the tolerance of listeners (2.10); the other half is a margin for the
        error of a single estimate, which here is part of the zero and averaged out of the rest.
        """
        accepted, pitch = limits.halved(), self.pitch - zero.pitch
        is_level = -accepted.down <= pitch <= accepted.up
        return not is_level or abs(self.yaw - zero.yaw) > accepted.yaw

    def holds(self, gaze: Gaze) -> Flags:
        """Return a flag per sample: the gaze is within 8 degrees of it."""
        with np.errstate(invalid="ignore"):
            return np.hypot(gaze.yaw - self.yaw, gaze.pitch - self.pitch) <= _NEAR_DEGREES


def zero_of(samples: VisualSamples, gaze: Gaze, options: Options, limits: FacingLimits) -> Zero:
    """Return the speaker's zero: from a calibration, an answer or the talk, otherwise the
    population's.
    """
    rest = resting_direction(gaze, samples.speech)
    found = _zero_at(rest, limits, is_told=options.camera_in_front is False)
    if options.calibration is None:
        return found
    if samples.lens is None:
        return replace(found, note=_NO_CALIBRATION)
    calibrated = _calibrated(gaze_of(samples.lens, options, limits), samples.lens)
    return replace(found, note=calibrated) if isinstance(calibrated, Note) else calibrated


def _zero_at(rest: RestingDirection | None, limits: FacingLimits, *, is_told: bool) -> Zero:
    """Return the resting direction as zero if it can be the lens, or if the lens is known to be
    elsewhere.

    In the second case it is what was in front of the speaker, and facing is measured from it.
    """
    if rest is None or not rest.is_steady:
        return POPULATION_ZERO
    if rest.can_be_lens(limits):
        return Zero(rest.yaw, rest.pitch, *_PERSONAL_SPREAD, source="talk", n=rest.n)
    if is_told:
        return Zero(rest.yaw, rest.pitch, *_PERSONAL_SPREAD, source="answer", n=rest.n)
    return POPULATION_ZERO


def _calibrated(gaze: Gaze, lens: VisualSamples) -> Zero | Note:
    """Return the median direction during calibration, or a note why it is unusable."""
    usable = np.isfinite(gaze.yaw) & ~gaze.is_closed
    if usable.sum() < _LEAST_CALIBRATION:
        return _NO_CALIBRATION
    places, spreads = [], []
    looks = max(1.0, float(lens.seconds[usable].sum()))
    for angles, least in zip((gaze.yaw, gaze.pitch), _CALIBRATED_SPREAD, strict=True):
        low, place, high = np.percentile(angles[usable], (16, 50, 84)).tolist()
        places.append(place)
        spreads.append(math.hypot(least, (high - low) / 2 / math.sqrt(looks)))
    if max(map(abs, places)) > _FARTHEST_LENS:
        return _LOOKED_ELSEWHERE
    yaw, pitch = places
    return Zero(yaw, pitch, spreads[0], spreads[1], source="calibration", n=int(usable.sum()))


def resting_direction(gaze: Gaze, weights: Numbers) -> RestingDirection | None:
    """Return the most frequent direction during speech; None if too little was seen."""
    usable = np.isfinite(gaze.yaw) & ~gaze.is_closed & (weights > 0)
    if weights[usable].sum() < _LEAST_SECONDS:
        return None
    points = np.column_stack((gaze.yaw[usable], gaze.pitch[usable], weights[usable]))
    points = points[:: max(1, len(points) // _MOST_POINTS)]
    points, weight = points[:, :2], points[:, 2]
    distance = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
    density = np.exp(-0.5 * (distance / _KERNEL_DEGREES) ** 2) @ weight
    near = distance[int(density.argmax())] <= _NEAR_DEGREES
    yaw, pitch = np.average(points[near], axis=0, weights=weight[near]).tolist()
    return RestingDirection(yaw, pitch, float(weight[near].sum() / weight.sum()), int(near.sum()))


def facing(gaze: Gaze, zero: Zero, limits: FacingLimits) -> Flags:
    """Return a flag per sample: within the limits; False if unknown."""
    yaw, pitch = gaze.yaw - zero.yaw, gaze.pitch - zero.pitch
    widest = np.where(gaze.has_eyes, limits.yaw, limits.head_yaw)
    with np.errstate(invalid="ignore"):
        inside = (np.abs(yaw) <= widest) & (pitch >= -limits.down) & (pitch <= limits.up)
    return inside & ~gaze.is_closed


def is_facing(yaw: float, pitch: float, *, has_eyes: bool, limits: FacingLimits) -> bool:
    """Return the decision for a single picture with open eyes, with the population zero."""
    widest = limits.yaw if has_eyes else limits.head_yaw
    return abs(yaw) <= widest and -limits.down <= pitch <= limits.up
