"""Benchmark `gaze`: facing the camera by condition on frames labelled by looking, and how far the
gaze is estimated from the lens where people look into it.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from analysis.backends.sight.frame import frame_lines
from analysis.backends.sight.picture import face_quality
from bench.document import publish
from bench.gaze.frames import UNCLEAR, LabelledFrame, darkened, labelled_frames, pictures, shrunk
from bench.intervals import resampled
from bench.media import ask_for_media, is_there
from bench.watching.labels import kappa, wearing_glasses

_DARK_SHARES = (0.25, 0.12)
_SMALL_PX = (120.0, 75.0)
_LEAST_OF_PERSON = 4
_SEEN_WITH_GLASSES = frozenset({"grid_lbax4n"})
"""Recordings of people whose glasses the manifest does not mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Labelled picture and what was read in it."""

    frame: LabelledFrame
    decided: bool | None
    angles: tuple[float, float] | None
    """Yaw and pitch of head and eyes together; None if the eyes were not read."""
    face_px: float
    light: float
    is_upright: bool


def main(arguments: Sequence[str]) -> int:
    """Measure; `--write` puts the tables into docs/lab/gaze-degrees.md."""
    parser = argparse.ArgumentParser(prog="python -m bench gaze", description=__doc__)
    ask_for_media(parser)
    parser.add_argument("--write", action="store_true", help="update the document")
    chosen = parser.parse_args(arguments)
    if not is_there(chosen.media):
        return 1
    with tempfile.TemporaryDirectory() as folder:
        lines = _everything(chosen.media, Path(folder))
        publish("gaze", lines, is_written=chosen.write)
    return 0


def _everything(media: Path, folder: Path) -> Iterator[str]:
    frames = labelled_frames()
    clear = [frame for frame in frames if frame.is_clear]
    shown = list(pictures(clear, media))
    plain = _judged(shown, folder)
    yield from _labelling(frames, clear)
    yield ""
    yield from _facing_table(plain, shown, folder, wearing_glasses(media) | _SEEN_WITH_GLASSES)
    yield ""
    yield from _degrees_table(plain)


def _judged(shown: Sequence[tuple[LabelledFrame, Image.Image]], folder: Path) -> list[Judged]:
    paths = []
    for number, (_frame, picture) in enumerate(shown):
        path = folder / f"{number}.png"
        picture.save(path)
        paths.append(str(path))
    lines = map(json.loads, frame_lines(paths))
    return [
        _judgement(frame, picture, line)
        for (frame, picture), line in zip(shown, lines, strict=True)
    ]


def _judgement(frame: LabelledFrame, picture: Image.Image, line: dict[str, Any]) -> Judged:
    box, eyes = line["face"], line["eye"]
    angles = None
    if eyes["horizontal"] is not None:
        angles = line["yaw"] + eyes["horizontal"], line["pitch"] + eyes["vertical"]
    light, height = math.nan, 0.0
    if box is not None:
        left, top, width, height = box
        light = face_quality(np.asarray(picture.convert("RGB")), (left, top, width, height))[0]
    return Judged(
        frame=frame,
        decided=line["camera_facing"],
        angles=angles,
        face_px=height,
        light=light,
        is_upright=picture.height > picture.width,
    )


def _labelling(frames: Sequence[LabelledFrame], clear: Sequence[LabelledFrame]) -> Iterator[str]:
    both = [each for each in frames if UNCLEAR not in {each.first, each.second}]
    first, second = (
        np.array([label == "Camera" for label in labels])
        for labels in zip(*((each.first, each.second) for each in both), strict=True)
    )
    same = sum(each.first == each.second for each in frames)
    yield f"{len(frames)} frames of {len({each.film for each in frames})} films, labelled twice:"
    yield f"{same} of {len(frames)} labels are the same (Camera, Not_Camera, Eyes_Closed, Unclear);"
    yield f"of the {len(both)} that were never Unclear, Camera or not has κ"
    yield f"{kappa(first, second):.2f} between the passes. {len(clear)} clear frames count below."


def _facing_table(
    plain: Sequence[Judged],
    shown: Sequence[tuple[LabelledFrame, Image.Image]],
    folder: Path,
    glasses: frozenset[str],
) -> Iterator[str]:
    conditions: dict[str, Callable[[Judged], bool]] = {
        "all": lambda _one: True,
        "upright pictures, as of phones": lambda one: one.is_upright,
        "glasses": lambda one: Path(one.frame.film).stem in glasses,
        "face luma under 0.35": lambda one: one.light < 0.35,
        "face luma from 0.35": lambda one: one.light >= 0.35,
        "face under 120 px": lambda one: 0 < one.face_px < 120,
        "face 120-250 px": lambda one: 120 <= one.face_px < 250,
        "face from 250 px": lambda one: one.face_px >= 250,
    }
    yield "| frames | n | films | undecided | agreement (95%) | κ |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, is_in in conditions.items():
        yield _facing_row(name, [one for one in plain if is_in(one)])
    for share in _DARK_SHARES:
        dark = [(frame, darkened(picture, share)) for frame, picture in shown]
        yield _facing_row(f"made dark: light times {share:g}, noise", _judged(dark, folder))
    for to_px in _SMALL_PX:
        far = [
            (frame, shrunk(picture, face_px=one.face_px, to_px=to_px))
            for (frame, picture), one in zip(shown, plain, strict=True)
            if one.face_px > to_px
        ]
        yield _facing_row(f"made far: face {to_px:g} px", _judged(far, folder))


def _facing_row(name: str, found: Sequence[Judged]) -> str:
    decided = [one for one in found if one.decided is not None]
    films = {one.frame.film for one in found}
    undecided = len(found) - len(decided)
    if not decided:
        return f"| {name} | {len(found)} | {len(films)} | {undecided} | – | – |"
    by_film = [[one for one in decided if one.frame.film == film] for film in sorted(films)]
    interval = resampled(by_film, lambda drawn: _agreement([one for some in drawn for one in some]))
    words = f" ({interval[0]:.2f}-{interval[1]:.2f})" if interval else ""
    truth = np.array([one.frame.faces_camera for one in decided])
    of_chance = kappa(truth, np.array([bool(one.decided) for one in decided]))
    shown = "–" if math.isnan(of_chance) else f"{of_chance:.2f}"
    return (
        f"| {name} | {len(found)} | {len(films)} | {undecided} | "
        f"{_agreement(decided):.2f}{words} | {shown} |"
    )


def _agreement(some: Sequence[Judged]) -> float:
    """Return the share of right decisions; NaN without any."""
    if not some:
        return math.nan
    return sum(one.decided == one.frame.faces_camera for one in some) / len(some)


def _degrees_table(plain: Sequence[Judged]) -> Iterator[str]:
    looking = [one for one in plain if one.frame.faces_camera and one.angles is not None]
    by_film = [
        np.array([one.angles for one in looking if one.frame.film == film])
        for film in sorted({one.frame.film for one in looking})
    ]
    many = [angles for angles in by_film if len(angles) >= _LEAST_OF_PERSON]
    corrected = [_without_own_mean(angles) for angles in many]
    yield "| people who look into the lens (0°) | n | films | RMSE (95%) |"
    yield "| --- | --- | --- | --- |"
    yield _degrees_row("head and eyes as read", by_film)
    yield _degrees_row(f"as read, films with {_LEAST_OF_PERSON} frames and more", many)
    yield _degrees_row("the same, less the mean of the person’s other frames", corrected)
    yield "| nine points on a screen, calibrated | – | – | not measured: no recording at hand |"


def _without_own_mean(angles: np.ndarray) -> np.ndarray:
    """Return each row less the mean of the others."""
    return (angles - angles.mean(axis=0)) * len(angles) / (len(angles) - 1)


def _degrees_row(name: str, by_film: Sequence[np.ndarray]) -> str:
    interval = resampled(by_film, _rmse)
    words = f" ({interval[0]:.1f}-{interval[1]:.1f})" if interval else ""
    count = sum(map(len, by_film))
    return f"| {name} | {count} | {len(by_film)} | {_rmse(by_film):.1f}°{words} |"


def _rmse(by_film: Sequence[np.ndarray]) -> float:
    return float(np.sqrt((np.concatenate(by_film) ** 2).sum(axis=1).mean()))
