"""Poster: one still picture for a recording."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from PIL import Image

from analysis.backends.media.frames import Frame, sampled_frames

# A fifth into a talk, speakers have settled and title slides are gone. A rule of thumb.
_PLACE = 0.2
_MAX_SIDE = 640
_FRAMES_TO_TRY = 8
# Mean brightness (0 to 255) from which a picture counts as lit. A rule of thumb.
_LIT = 40.0
_JPEG_QUALITY = 80


def write_poster(path: Path, *, duration: float, out: Path) -> bool:
    """Write a JPEG of at most 640 pixels per side; return False if there is no picture."""
    frame = _frame_with_light(path, duration * _PLACE) or _frame_with_light(path, 0.0)
    if frame is None:
        return False
    Image.fromarray(frame.rgb).save(out, "JPEG", quality=_JPEG_QUALITY)
    return True


def _frame_with_light(path: Path, start: float) -> Frame | None:
    """Return the first lit frame of the next seconds, or the brightest; None without a picture."""
    lightest: Frame | None = None
    most = -1.0
    frames = sampled_frames(path, per_second=1.0, max_side=_MAX_SIDE, start=start)
    for frame in islice(frames, _FRAMES_TO_TRY):
        light = float(frame.rgb.mean())
        if light >= _LIT:
            return frame
        if light > most:
            lightest, most = frame, light
    return lightest
