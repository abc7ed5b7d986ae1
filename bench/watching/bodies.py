"""Measures on stills that were moved, rotated and scaled by known amounts."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from PIL import Image

from analysis.analysers.posture import Posture
from analysis.backends.media.frames import Frame, sampled_frames
from analysis.backends.sight.still import StillReader
from analysis.backends.sight.watching import watch_frames
from bench.watching.clips import moved, on_grey, write
from bench.watching.truth import KnownValueCheck, sight_of, sway_truth, talk_of, within

SWAY, TILT = "posture.sway_shoulder_widths", "posture.shoulder_tilt_degrees"
LEAN = "posture.lean_degrees"
_NOISE = 2.0
"""Sensor noise, since identical pictures are left out of a report."""


def checks(media: Path, work: Path) -> list[KnownValueCheck]:
    """Check faces and bodies of still pictures."""
    return [*_moved_faces(media), *_sways(media, work), *_turned_bodies(media)]


def _moved_faces(media: Path) -> list[KnownValueCheck]:
    """Check a still face that is shifted, rotated in the picture and scaled down."""
    path = media / "4_gaze/frames/lp_d10_001.00.jpg"
    with Image.open(path) as image:
        face = image.convert("RGB")
    rolls, shifts, sizes = [], [], []
    with StillReader() as reader:
        base = reader.read(_pasted(face, 0.5, 300)).face
        if base is None or base.eyes is None:
            return [KnownValueCheck("moved faces", "a face", "none found", is_met=False)]
        for degrees in (-30, -15, 15, 30):
            turned = reader.read(_pasted(face.rotate(degrees, Image.Resampling.BICUBIC), 0.5, 300))
            rolls.append(abs(turned.face.roll - base.roll + degrees) if turned.face else math.inf)
        for place in (0.2, 0.35, 0.65, 0.8):
            aside = reader.read(_pasted(face, place, 300)).face
            shifts.append(abs(aside.yaw - base.yaw) if aside else math.inf)
        for height in (60, 90, 150):
            small = reader.read(_pasted(face, 0.5, height)).face
            sizes.append(abs(small.yaw - base.yaw) if small else math.inf)
    return [
        within("still face turned by 15 and 30 degrees: roll", 3, max(rolls), unit="°", digits=1),
        within("still face moved across the picture: yaw", 3, max(shifts), unit="°", digits=1),
        within("still face 60, 90, 150 px high: yaw", 4, max(sizes), unit="°", digits=1),
    ]


def _turned_bodies(media: Path) -> list[KnownValueCheck]:
    """Check a still person rotated in the picture: shoulder line and trunk rotate with it."""
    video, height = media / "3_video/lp_s29.mp4", 960
    frame = next(sampled_frames(video, per_second=1, max_side=height, start=2.0))
    person = Image.fromarray(frame.rgb)
    angles: dict[str, list[float]] = {TILT: [], LEAN: []}
    for degrees in (0, 10, -10):
        turned = np.asarray(person.rotate(degrees, Image.Resampling.BICUBIC))
        noise = np.random.default_rng(7)
        frames = [Frame(time=index / 5, rgb=grainy(turned, noise)) for index in range(15)]
        measured = Posture().measure(talk_of(video, watch_frames(frames), 3.0))
        for name, found in angles.items():
            found.append(measured.measurements[name].value)
    checks = []
    for name, (still, left, right) in angles.items():
        # The angles are absolute: turned by 10 degrees to both sides they add up to 20, or differ
        # by twice the angle of the still picture where that is less than 10.
        error = abs((left + right) / 2 - max(10.0, still))
        what = {TILT: "shoulder line", LEAN: "lean"}[name]
        checks.append(
            within(
                f"a person turned by 10 degrees in the picture: {what}",
                2,
                error,
                unit="°",
                digits=1,
            )
        )
    return checks


def grainy(picture: np.ndarray, noise: np.random.Generator) -> np.ndarray:
    grain = noise.normal(0, _NOISE, picture.shape)
    return (picture + grain).clip(0, 255).astype(np.uint8)


def _pasted(face: Image.Image, place: float, face_px: int) -> np.ndarray:
    """Return the picture on grey with a face of about this height, at this position."""
    side = round(face.width * face_px / 290)
    small = face.resize((side, side), Image.Resampling.LANCZOS)
    return on_grey(small, (round(1280 * place - side / 2), 360 - side // 2))


def _sways(media: Path, work: Path) -> list[KnownValueCheck]:
    picture = media / "4_gaze/zoom_real/real_006.png"
    amplitude, rate, seconds = 12.0, 0.5, 24.0

    def path_of(time: float) -> float:
        return amplitude * math.sin(2 * math.pi * rate * time)

    found = {}
    for shake in (False, True):
        clip = moved(picture, path_of, seconds, shake=shake)
        path = write(clip, work / f"sway{shake}.mp4")
        sight = sight_of(path)
        truth = sway_truth(sight, amplitude)
        measured = Posture().measure(talk_of(path, sight, seconds))
        found[shake] = measured.measurements[SWAY].value if SWAY in measured.measurements else None
    still, shaken = found[False], found[True]
    return [
        KnownValueCheck(
            "a body moved sideways by 12 px at 0.5 Hz: sway",
            f"{truth:.3f}",
            f"{still:.3f}" if still is not None else "skipped",
            still is not None and abs(still - truth) <= 0.25 * truth,
        ),
        KnownValueCheck(
            "the whole picture moved so (a shaking camera): sway",
            "under a third of that",
            f"{shaken:.3f}" if shaken is not None else "skipped",
            shaken is None or shaken <= truth / 3,
        ),
    ]
