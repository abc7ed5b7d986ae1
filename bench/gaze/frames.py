"""Frames labelled by looking, in two passes, and copies of them made dark and small."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import av
import numpy as np
from PIL import Image

LABELS = Path(__file__).with_name("frames.csv")
CAMERA, UNCLEAR = "Camera", "Unclear"
_ROUNDING = 0.006


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledFrame:
    """Moment of a film with the labels of both passes."""

    film: str
    seconds: float
    first: str
    second: str

    @property
    def is_clear(self) -> bool:
        """Return whether both passes gave the same label, and it is not Unclear."""
        return self.first == self.second != UNCLEAR

    @property
    def faces_camera(self) -> bool:
        return self.first == CAMERA


def labelled_frames() -> list[LabelledFrame]:
    """Return all labelled frames, by film and time."""
    with LABELS.open(encoding="utf-8", newline="") as table:
        return [
            LabelledFrame(
                film=row["film"],
                seconds=float(row["seconds"]),
                first=row["first"],
                second=row["second"],
            )
            for row in csv.DictReader(table)
        ]


def pictures(
    frames: Sequence[LabelledFrame], media: Path
) -> Iterator[tuple[LabelledFrame, Image.Image]]:
    """Yield each frame with its picture; frames are in the order of film and time."""
    for film, wanted in groupby(frames, key=lambda frame: frame.film):
        waiting = list(wanted)
        with av.open(str(media / "3_video" / film)) as container:
            start: float | None = None
            for picture in container.decode(video=0):
                start = picture.time if start is None else start
                if picture.time - start >= waiting[0].seconds - _ROUNDING:
                    yield waiting.pop(0), picture.to_image()
                if not waiting:
                    break


def darkened(picture: Image.Image, share: float) -> Image.Image:
    """Return the picture with this share of its light, and a sensor's noise."""
    noise = np.random.default_rng(3).normal(0, 2, (picture.height, picture.width, 1))
    dark = np.asarray(picture.convert("RGB"), dtype=np.float64) * share + noise
    return Image.fromarray(dark.clip(0, 255).astype(np.uint8))


def shrunk(picture: Image.Image, *, face_px: float, to_px: float) -> Image.Image:
    """Return the picture so small that its face has this height, in the middle of a grey one."""
    share = min(1.0, to_px / face_px)
    small = picture.resize((round(picture.width * share), round(picture.height * share)))
    around = Image.new("RGB", (max(640, small.width), max(480, small.height)), (128, 128, 128))
    around.paste(small, ((around.width - small.width) // 2, (around.height - small.height) // 2))
    return around
