"""Measurements behind constants of the code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter, ImageOps

from analysis.backends.media.frames import sampled_frames
from analysis.backends.sight.face import Face, View, faces_in
from analysis.backends.sight.landmarkers import as_image, open_face
from analysis.backends.sight.picture import face_quality
from analysis.backends.sight.watching import LONGEST_SIDE_PX, SAMPLES_PER_SECOND, watch_frames
from analysis.talk.facing import CLOSED_FROM
from bench.watching.clips import on_grey

# Recordings of people who, according to the manifest, face their camera.
FACING = (
    "grid_bbaf2n.mpg",
    "grid_lbax4n.mpg",
    "grid_lrwp9a.mpg",
    "grid_pwij3p.mpg",
    "grid_sbwe5n.mpg",
    "grid_swwp2s_aligned.mpg",
    "hdtf_AOC.mp4",
    "hdtf_Markey.mp4",
    "hdtf_RD_Radio2.mp4",
    "lp_d10.mp4",
    "lp_d13.mp4",
    "lp_d18.mp4",
    "lp_d8.mp4",
    "retalk_3.mp4",
    "retalk_5.mp4",
)
_FRONTAL = ("lp_d0_000.10.jpg", "lp_d8_005.00.jpg", "retalk_3_002.50.jpg", "retalk_5_004.50.jpg")
_PLACES = (0.2, 0.35, 0.65, 0.8)


@dataclass(frozen=True, slots=True)
class GazeSpread:
    """Median gaze of each person who faces the camera."""

    people: int
    mean: tuple[float, float]
    between: tuple[float, float]
    within: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Degradation:
    """Effect of blur or darkness on faces that were readable before."""

    amount: str
    measured: float
    """Median sharpness or light of the face."""
    found: int
    of: int
    yaw: float
    eyes: float


def people_facing(media: Path) -> GazeSpread:
    """Measure the distance of people who face their camera from zero and from each other."""
    medians, spreads = [], []
    for name in FACING:
        frames = sampled_frames(
            media / "3_video" / name, per_second=SAMPLES_PER_SECOND, max_side=LONGEST_SIDE_PX
        )
        sight = watch_frames(frames, parts=("face",))
        gaze = (sight.head[:, :2] + sight.eyes)[sight.blink < CLOSED_FROM]
        gaze = gaze[np.isfinite(gaze[:, 0])]
        medians.append(np.median(gaze, axis=0))
        spreads.append(1.48 * np.median(np.abs(gaze - medians[-1]), axis=0))
    table = np.array(medians)
    return GazeSpread(
        people=len(table),
        mean=_pair(table.mean(axis=0)),
        between=_pair(table.std(axis=0, ddof=1)),
        within=_pair(np.median(np.array(spreads), axis=0)),
    )


def _pair(values: NDArray[np.floating]) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def place_errors(media: Path) -> tuple[float, int]:
    """Return the largest change of yaw of a still face moved across the picture, and the number of
    readings.
    """
    changes = []
    with open_face(is_video=False, faces=1) as landmarker:
        for name in _FRONTAL:
            with Image.open(media / "4_gaze/frames" / name) as image:
                face = image.convert("RGB").resize((520, 520))
            base = _only(landmarker, _pasted(face, 0.5))
            for place in _PLACES:
                moved = _only(landmarker, _pasted(face, place))
                if base is not None and moved is not None:
                    changes.append(abs(moved.yaw - base.yaw))
    return max(changes), len(changes)


def _pasted(face: Image.Image, place: float) -> NDArray[np.uint8]:
    return on_grey(face, (round(1280 * place - face.width / 2), 100))


def _only(landmarker: object, rgb: NDArray[np.uint8]) -> Face | None:
    result = landmarker.detect(as_image(rgb))  # type: ignore[attr-defined]
    faces = faces_in(result, View(rgb.shape[1], rgb.shape[0]))
    return faces[0] if faces else None


def hurts(media: Path) -> list[Degradation]:
    """Measure each labelled face, blurred and darkened by known amounts."""
    paths = sorted((media / "4_gaze").glob("*/*.jpg"))[::3]
    pictures = [_opened(path) for path in paths]
    found = []
    with open_face(is_video=False, faces=1) as landmarker:
        bases = [_only(landmarker, np.asarray(picture)) for picture in pictures]
        pairs = [(p, b) for p, b in zip(pictures, bases, strict=True) if b and b.eyes]
        for share in (0.0, 0.008, 0.016, 0.024, 0.032):
            blurred = [
                np.asarray(p.filter(ImageFilter.GaussianBlur(share * b.height))) for p, b in pairs
            ]
            found.append(_hurt(f"blur of {share:.1%} of the face", landmarker, blurred, pairs, 1))
        for gain in (0.25, 0.12, 0.06, 0.03):
            dark = [_darkened(p, gain) for p, _ in pairs]
            found.append(_hurt(f"light times {gain}", landmarker, dark, pairs, 0))
    return found


def _opened(path: Path) -> Image.Image:
    with Image.open(path) as image:
        picture = ImageOps.exif_transpose(image).convert("RGB")
    picture.thumbnail((LONGEST_SIDE_PX, LONGEST_SIDE_PX))
    return picture


def _darkened(picture: Image.Image, gain: float) -> NDArray[np.uint8]:
    grain = np.random.default_rng(0).normal(0, 2, (picture.height, picture.width, 3))
    return np.clip(np.asarray(picture) * gain + grain, 0, 255).astype(np.uint8)


def _hurt(
    amount: str,
    landmarker: object,
    pictures: Sequence[NDArray[np.uint8]],
    pairs: Sequence[tuple[Image.Image, Face]],
    which: int,
) -> Degradation:
    yaws, eyes, qualities = [], [], []
    for rgb, (_, base) in zip(pictures, pairs, strict=True):
        qualities.append(face_quality(rgb, base.box)[which])
        face = _only(landmarker, rgb)
        if face is not None and face.eyes is not None and base.eyes is not None:
            yaws.append(abs(face.yaw - base.yaw))
            eyes.append(math.dist(face.eyes, base.eyes))
    return Degradation(
        amount=amount,
        measured=float(np.median(qualities)),
        found=len(yaws),
        of=len(pairs),
        yaw=float(np.mean(yaws)) if yaws else float("nan"),
        eyes=float(np.mean(eyes)) if eyes else float("nan"),
    )
