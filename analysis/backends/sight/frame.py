"""Picture command, `python -m analysis frame`: direction of one face per picture,
a JSON line each.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from analysis.backends.sight.face import Face
from analysis.backends.sight.still import Still, StillReader
from analysis.ports import Options
from analysis.talk.face_view import LEAST_FACE_PX
from analysis.talk.facing import CLOSED_FROM, is_facing, limits_for
from analysis.talk.head_from_pose import is_turned_away

_LONGEST_SIDE_PX = 1920
# JPEG can be decoded at a half, a quarter or an eighth, so that phone pictures with 108 million
# pixels are never in memory whole. Other formats are read up to this many pixels (270 MB).
_DRAFT_SIDE_PX, _MOST_PIXELS = 2 * _LONGEST_SIDE_PX, 90_000_000
# No format that hands the file to another program, as PostScript would.
_FORMATS = ("AVIF", "BMP", "GIF", "JPEG", "JPEG2000", "PNG", "PPM", "TIFF", "WEBP")
_RIVAL_HEIGHT = 0.7


def frame_lines(paths: Sequence[str]) -> Iterator[str]:
    """Yield one JSON line per picture, in order; an unreadable picture gives a
    line with a reason.
    """
    with StillReader() as reader:
        for path in paths:
            yield json.dumps(_line(path, reader), allow_nan=False)


def _line(path: str, reader: StillReader) -> dict[str, object]:
    try:
        picture = _opened(Path(path))
    except Image.DecompressionBombError:
        return _result(path, None, reasons=["unreadable", "too_large"])
    except Exception:  # noqa: BLE001 - a broken picture may raise anything, and is unreadable
        return _result(path, None, reasons=["unreadable"])
    rgb, scale = picture
    return _decided(path, reader.read(rgb), scale)


def _opened(path: Path) -> tuple[NDArray[np.uint8], float]:
    """Return the upright picture and the file's pixels per pixel of it."""
    if not path.is_file():  # opening a pipe would wait for a writer
        raise FileNotFoundError(path)
    with (
        warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning),
        Image.open(path, formats=_FORMATS) as image,
    ):
        longest = max(image.size)
        image.draft("RGB", (_DRAFT_SIDE_PX, _DRAFT_SIDE_PX))
        if image.width * image.height > _MOST_PIXELS:
            raise Image.DecompressionBombError
        upright = ImageOps.exif_transpose(_in_eight_bits(image)).convert("RGB")
    upright.thumbnail((_LONGEST_SIDE_PX, _LONGEST_SIDE_PX))
    return np.asarray(upright), longest / max(upright.size)


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Scale 16 bits per pixel down to 8; Pillow would clip them at 255."""
    if not image.mode.startswith("I"):
        return image
    gray = Image.fromarray((np.asarray(image) // 257).clip(0, 255).astype(np.uint8))
    gray.info = image.info
    return gray


def _decided(path: str, still: Still, scale: float) -> dict[str, object]:
    if still.face is None:
        if is_turned_away(still.pose):
            return _result(path, None, facing=False, reasons=["no_face", "head_turned_away"])
        return _result(path, None, reasons=["no_face"])
    face = still.face
    reasons = ["several_faces"] if still.rival >= _RIVAL_HEIGHT else []
    if still.quarters:
        reasons.append("picture_on_its_side")
    if face.height * scale < LEAST_FACE_PX:
        return _result(path, face, scale=scale, reasons=[*reasons, "face_too_small"])
    if face.blink > CLOSED_FROM:
        reasons.append("eyes_closed")
    side, up = face.eyes or (0.0, 0.0)
    facing = is_facing(
        face.yaw + side,
        face.pitch + up,
        has_eyes=face.eyes is not None,
        limits=limits_for(Options()),
    )
    return _result(
        path, face, scale=scale, facing=facing and "eyes_closed" not in reasons, reasons=reasons
    )


def _result(
    path: str,
    face: Face | None,
    *,
    scale: float = 1.0,
    facing: bool | None = None,
    reasons: Sequence[str] = (),
) -> dict[str, object]:
    eyes = face.eyes if face is not None else None
    return {
        "path": path,
        "face": [round(side * scale, 1) for side in face.box] if face else None,
        "yaw": _degrees(face.yaw) if face else None,
        "pitch": _degrees(face.pitch) if face else None,
        "roll": _degrees(face.roll) if face else None,
        "eye": {
            "horizontal": _degrees(eyes[0]) if eyes else None,
            "vertical": _degrees(eyes[1]) if eyes else None,
        },
        "camera_facing": facing,
        "reasons": list(reasons),
    }


def _degrees(angle: float) -> float | None:
    return round(angle, 1) if math.isfinite(angle) else None
