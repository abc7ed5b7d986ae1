"""When head and eyes are turned to the camera: limits, the speaker's own zero, the decision.

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
from analysis.talk.visual_samples import Flags, Numbers, Watched, runs

CLOSED_FROM = 0.45
"""Blink score from which an eye is closed: open eyes stay under 0.3, closed ones over 0.55."""
LEAST_EYE_CONTRAST = 0.15
"""Contrast of the eyes under which nothing is seen in them.

Of glasses painted more and more bright or dark (n = 220 pictures): below it the eyes are off by 8
to 15 degrees in one look of ten and closed ones pass for open; above it by 4 to 8. Bare eyes, open
or closed, stay over 0.33, and over 0.25 along recordings.
"""
BLINK_SECONDS = 0.4
"""Eyes closed for no longer are a blink and say nothing of gaze (rule of thumb)."""
HOLD_SECONDS = 0.3
"""A change of state must last so long (rule of thumb)."""

# The mode of the gaze is the speaker's zero only where it holds at least this share of the
# speech within _NEAR degrees, over at least _LEAST_SECONDS. Rules of thumb.
_LEAST_CONCENTRATION = 0.3
_NEAR_DEGREES = 8.0
_LEAST_SECONDS = 10.0
_KERNEL_DEGREES = 3.0
_MOST_POINTS = 1500


@dataclass(frozen=True, slots=True)
class FacingLimits:
    """How far from the zero head and eyes may be turned, in degrees; all numbers positive.

    `zero_*` bound the personal zero, about three SD of what people facing their camera show: a
    mode further off is no facing.
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
        """The same limits, each wider by so much."""
        return replace(
            self,
            yaw=max(1.0, self.yaw + degrees),
            down=max(1.0, self.down + degrees),
            up=max(1.0, self.up + degrees),
            head_yaw=max(1.0, self.head_yaw + degrees),
        )

    def halved(self) -> FacingLimits:
        """What listeners accept, without the room for errors of a single estimate."""
        return replace(self, yaw=self.yaw / 2, down=self.down / 2, up=self.up / 2)


# Camera: head within 15 and 12 degrees (rules of thumb). With the eyes known the side limit is
# 8: listeners accept about 4 (Horstmann & Linke, 2022), and 4 is the 95% error of our estimate on
# 15 recordings of people who face their camera (SD 1.9 between people, 1.5 within;
# docs/lab/watching.md). Up and down 12 stay: listeners mind a gaze below the eyes less (Chen,
# 2002) and our estimate errs by more (SD 3.4). Stage: the head alone, 35 degrees to the sides and
# 15 down (rules of thumb); upwards there is no audience to miss.
_CAMERA = FacingLimits(yaw=8.0, down=12.0, up=12.0, head_yaw=15.0)
_STAGE = FacingLimits(yaw=35.0, down=15.0, up=60.0, head_yaw=35.0, uses_eyes=False, zero_yaw=20.0)
# A camera above or below the eyes sees the screen's reader from there: half a screen's height at
# arm's length is about 10 degrees (rule of thumb). One at the side likewise.
_PLACE_DEGREES = 10.0


def limits_for(options: Options) -> FacingLimits:
    """The limits for the setting and the place of the camera."""
    limits = _STAGE if options.setting == "stage" else _CAMERA
    position = options.camera_position
    if options.camera_in_front is not None and position == "side":
        position = None  # the answer about this very take says more
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
    """Direction of head and eyes in each sample; NaN where the face was not seen."""

    yaw: Numbers
    pitch: Numbers
    has_eyes: Flags
    is_closed: Flags
    """Eyes closed for longer than a blink."""


@dataclass(frozen=True, slots=True)
class Zero:
    """Where this speaker looks when facing the camera, and how uncertain that is (SD, degrees)."""

    yaw: float
    pitch: float
    yaw_spread: float
    pitch_spread: float
    source: Literal["calibration", "talk", "usual", "answer"]
    n: int = 0
    """Samples that it rests on."""
    note: Note | None = None

    @property
    def is_personal(self) -> bool:
        """Whether it was found in this recording."""
        return self.source != "usual"


# Without a personal zero: how far the estimates of people who face their camera lie apart (n = 15
# recordings: SD 1.9 and 3.4; a little more here, for 15 are few). With one, most of it is gone.
POPULATION_ZERO = Zero(0.0, 0.0, 2.5, 4.0, source="usual")
_PERSONAL_SPREAD = (1.5, 2.5)
# Three seconds of looking into the lens leave little doubt, and that little grows with how much the
# gaze moved in them: one independent look a second. A median further off than the limit of the
# head means that something else was looked at (rules of thumb).
_CALIBRATED_SPREAD = (1.0, 1.5)
_LEAST_CALIBRATION = 5
_FARTHEST_LENS = 15.0
_NO_CALIBRATION = Note.of("lens_without_face")
_LOOKED_ELSEWHERE = Note.of("lens_looked_elsewhere")


def gaze_of(samples: Watched, options: Options, limits: FacingLimits) -> Gaze:
    """Head plus eyes, blinks bridged; mirrored video turned back."""
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
        yaw=_bridged(yaw, blinks),
        pitch=_bridged(pitch, blinks),
        has_eyes=has_eyes,
        is_closed=closed & ~blinks & limits.uses_eyes,
    )


def hides_eyes(sight: Sight) -> Flags:
    """Samples in which glasses that reflect, or dark ones, leave nothing to see of the eyes."""
    if not len(sight.eye_contrast):
        return np.zeros(len(sight.times), dtype=np.bool_)
    hidden: Flags = np.nan_to_num(sight.eye_contrast, nan=1.0) < LEAST_EYE_CONTRAST
    return hidden


def _bridged(values: Numbers, gaps: Flags) -> Numbers:
    """Values inside the gaps taken from the sample before, at the start from the one behind."""
    result = values.copy()
    for first, behind in runs(gaps):
        source = first - 1 if first > 0 else behind
        if source < len(result):
            result[first:behind] = np.where(
                np.isfinite(values[first:behind]), result[source], np.nan
            )
    return result


@dataclass(frozen=True, slots=True)
class Rest:
    """Where head and eyes rested most while speaking, in degrees from the line to the lens."""

    yaw: float
    pitch: float
    share: float
    """Of the time spoken, within 8 degrees of there."""
    n: int

    @property
    def is_steady(self) -> bool:
        """Whether it holds enough of the talk to be what the speaker looked at."""
        return self.share >= _LEAST_CONCENTRATION

    def can_be_lens(self, limits: FacingLimits) -> bool:
        """Whether people who face their camera are seen to look there."""
        is_level = -limits.zero_down <= self.pitch <= limits.zero_up
        return is_level and abs(self.yaw) <= limits.zero_yaw

    def is_aside(self, zero: Zero, limits: FacingLimits) -> bool:
        """Whether somebody who looks there looks past a lens at `zero`.

        Half of each limit is what listeners accept (2.10); the other half leaves room for the error
        of a single estimate, which here is in the zero already and averaged out of the rest.
        """
        accepted, pitch = limits.halved(), self.pitch - zero.pitch
        is_level = -accepted.down <= pitch <= accepted.up
        return not is_level or abs(self.yaw - zero.yaw) > accepted.yaw

    def holds(self, gaze: Gaze) -> Flags:
        """Samples that belong to it."""
        with np.errstate(invalid="ignore"):
            return np.hypot(gaze.yaw - self.yaw, gaze.pitch - self.pitch) <= _NEAR_DEGREES


def zero_of(samples: Watched, gaze: Gaze, options: Options, limits: FacingLimits) -> Zero:
    """The speaker's zero: from a calibration, an answer, the talk itself, else the usual one."""
    rest = rest_of(gaze, samples.speech)
    found = _zero_at(rest, limits, is_told=options.camera_in_front is False)
    if options.calibration is None:
        return found
    if samples.lens is None:
        return replace(found, note=_NO_CALIBRATION)
    calibrated = _calibrated(gaze_of(samples.lens, options, limits), samples.lens)
    return replace(found, note=calibrated) if isinstance(calibrated, Note) else calibrated


def _zero_at(rest: Rest | None, limits: FacingLimits, *, is_told: bool) -> Zero:
    """The rest where that can be the lens, or where the lens is said to have stood elsewhere.

    In that case it is what was in front of the speaker, and what facing is measured from.
    """
    if rest is None or not rest.is_steady:
        return POPULATION_ZERO
    if rest.can_be_lens(limits):
        return Zero(rest.yaw, rest.pitch, *_PERSONAL_SPREAD, source="talk", n=rest.n)
    if is_told:
        return Zero(rest.yaw, rest.pitch, *_PERSONAL_SPREAD, source="answer", n=rest.n)
    return POPULATION_ZERO


def _calibrated(gaze: Gaze, lens: Watched) -> Zero | Note:
    """The median direction while looking into the lens, or why that cannot be told."""
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


def rest_of(gaze: Gaze, weights: Numbers) -> Rest | None:
    """The most frequent direction during speech; None where too little was seen to tell."""
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
    return Rest(yaw, pitch, float(weight[near].sum() / weight.sum()), int(near.sum()))


def facing(gaze: Gaze, zero: Zero, limits: FacingLimits) -> Flags:
    """Whether each sample is within the limits; False where nothing is known."""
    yaw, pitch = gaze.yaw - zero.yaw, gaze.pitch - zero.pitch
    widest = np.where(gaze.has_eyes, limits.yaw, limits.head_yaw)
    with np.errstate(invalid="ignore"):
        inside = (np.abs(yaw) <= widest) & (pitch >= -limits.down) & (pitch <= limits.up)
    return inside & ~gaze.is_closed


def is_facing(yaw: float, pitch: float, *, has_eyes: bool, limits: FacingLimits) -> bool:
    """The same for one picture with open eyes, about the zero of people at large."""
    widest = limits.yaw if has_eyes else limits.head_yaw
    return abs(yaw) <= widest and -limits.down <= pitch <= limits.up
