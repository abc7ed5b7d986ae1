"""Camera-facing decisions and head angles compared with labelled pictures."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from analysis.backends.sight.frame import frame_lines
from analysis.backends.sight.landmarkers import as_image, open_face
from analysis.backends.sight.picture import face_quality
from bench.intervals import wilson
from bench.media import manifest

_DRAWS = 4000


@dataclass(frozen=True, slots=True)
class FacingAgreement:
    """Agreement of decisions with labels. Undecided pictures are counted, but left
    out of the rest.
    """

    name: str
    pictures: int
    undecided: int
    agreement: float
    interval: tuple[float, float]
    kappa: float
    kappa_interval: tuple[float, float]
    f1: float
    """F1 of facing the camera."""
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HeadError:
    """Error of one head angle against labelled poses."""

    name: str
    pictures: int
    missed: int
    mean: float
    median: float
    bias: float


def agreements(media: Path) -> list[FacingAgreement]:
    """Return the agreement on all labelled pictures, then on each kind. Closed eyes count as not
    facing.
    """
    rows = list(csv.DictReader((media / "4_gaze/gaze_labels.shared.csv").open()))
    paths = [str(media / row["file"]) for row in rows]
    lines = [json.loads(line) for line in frame_lines(paths)]
    pairs = [
        (row["gaze"] == "Camera", line["camera_facing"], row["file"])
        for row, line in zip(rows, lines, strict=True)
    ]
    sizes = [line["face"][3] if line["face"] else 0.0 for line in lines]
    lights = [_light(path, line["face"]) for path, line in zip(paths, lines, strict=True)]
    worn = wearing_glasses(media)
    slices: dict[str, list[bool]] = {"all": [True] * len(rows)}
    for kind in sorted({row["kind"] for row in rows}):
        slices[kind] = [row["kind"] == kind for row in rows]
    slices["distance: face 60-120 px"] = [60 <= size < 120 for size in sizes]
    slices["distance: face 120-250 px"] = [120 <= size < 250 for size in sizes]
    slices["distance: face from 250 px"] = [size >= 250 for size in sizes]
    slices["light: face luma under 0.35"] = [light < 0.35 for light in lights]
    slices["light: face luma 0.35-0.55"] = [0.35 <= light < 0.55 for light in lights]
    slices["light: face luma from 0.55"] = [light >= 0.55 for light in lights]
    slices["glasses (frames of two people)"] = [video_of(row["file"]) in worn for row in rows]
    return [
        agreement(name, [pair for pair, is_in in zip(pairs, chosen, strict=True) if is_in])
        for name, chosen in slices.items()
        if any(chosen)
    ]


def video_of(file: str) -> str:
    """Return the recording of a labelled frame: `lp_d0` for `lp_d0_000.10.jpg`."""
    return Path(file).stem.rsplit("_", 1)[0]


def wearing_glasses(media: Path) -> frozenset[str]:
    """Return recordings of people with glasses, by the manifest's `visible` column."""
    return frozenset(
        Path(row["path"]).stem
        for row in manifest(media)
        if row["path"].startswith("3_video") and "glasses" in row["visible"]
    )


def _light(path: str, box: list[float] | None) -> float:
    """Return the measured mean luma of the face, since light is not labelled."""
    if box is None:
        return math.nan
    with Image.open(path) as image:
        rgb = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    left, top, width, height = box
    return face_quality(rgb, (left, top, width, height))[0]


def agreement(name: str, pairs: Sequence[tuple[bool, bool | None, str]]) -> FacingAgreement:
    """Summarise label, our decision (None if undecided) and file of each picture."""
    decided = [(truth, bool(ours)) for truth, ours, _ in pairs if ours is not None]
    truth, ours = (np.array(column, dtype=bool) for column in zip(*decided, strict=True))
    generator = np.random.default_rng(1)
    draws = generator.integers(0, len(truth), (_DRAWS, len(truth)))
    kappas = [kappa(truth[draw], ours[draw]) for draw in draws]
    known = [value for value in kappas if math.isfinite(value)]
    hits = int((truth == ours).sum())
    return FacingAgreement(
        name=name,
        pictures=len(pairs),
        undecided=len(pairs) - len(decided),
        agreement=hits / len(truth),
        interval=wilson(hits, len(truth)),
        kappa=kappa(truth, ours),
        kappa_interval=(
            float(np.percentile(known, 2.5)) if known else math.nan,
            float(np.percentile(known, 97.5)) if known else math.nan,
        ),
        f1=2 * float((truth & ours).sum()) / max(1.0, float(truth.sum() + ours.sum())),
        wrong=tuple(file for label, mine, file in pairs if mine is not None and mine != label),
    )


def kappa(truth: np.ndarray, ours: np.ndarray) -> float:
    """Return Cohen's kappa of two boolean columns; NaN if chance alone explains everything."""
    observed = float((truth == ours).mean())
    chance = float(truth.mean() * ours.mean() + (1 - truth.mean()) * (1 - ours.mean()))
    return (observed - chance) / (1 - chance) if chance < 1 else float("nan")


def head_errors(media: Path) -> list[HeadError]:
    """Return errors of yaw, pitch and roll on AFLW2000, ours and those of the landmarker's plain
    matrix.
    """
    rows = list(csv.DictReader((media / "4_gaze/aflw2000/poses.shared.csv").open()))
    paths = [media / row["file"] for row in rows]
    ours = [json.loads(line) for line in frame_lines(list(map(str, paths)))]
    found = []
    for who, lines in (("", ours), (", plain matrix", _plain_angles(paths))):
        for angle in ("yaw", "pitch", "roll"):
            for name, widest in ((f"{angle}, all", 180.0), (f"{angle}, yaw within 30", 30.0)):
                inside = [
                    (float(row[f"{angle}_deg"]), line[angle])
                    for row, line in zip(rows, lines, strict=True)
                    if abs(float(row["yaw_deg"])) <= widest
                ]
                found.append(_head_error(f"{name}{who}", inside))
    return found


def _plain_angles(paths: Sequence[Path]) -> list[dict[str, float | None]]:
    """Return the angles from one detection on the whole picture, without
    our crops and corrections.
    """
    found: list[dict[str, float | None]] = []
    with open_face(is_video=False, faces=1) as landmarker:
        for path in paths:
            with Image.open(path) as image:
                result = landmarker.detect(as_image(np.asarray(image.convert("RGB"))))
            if not result.faces:
                found.append({"yaw": None, "pitch": None, "roll": None})
                continue
            matrix = result.faces[0].matrix
            across, up, towards = matrix[:3, 2]
            found.append(
                {
                    "yaw": math.degrees(-math.atan2(across, towards)),
                    "pitch": math.degrees(math.atan2(up, math.hypot(across, towards))),
                    "roll": math.degrees(-math.atan2(matrix[1, 0], matrix[1, 1])),
                }
            )
    return found


def _head_error(name: str, inside: Sequence[tuple[float, float | None]]) -> HeadError:
    errors = np.array([ours - truth for truth, ours in inside if ours is not None])
    return HeadError(
        name=name,
        pictures=len(inside),
        missed=len(inside) - len(errors),
        mean=float(np.abs(errors).mean()),
        median=float(np.median(np.abs(errors))),
        bias=float(errors.mean()),
    )
