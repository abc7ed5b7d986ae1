"""Clips with exact labels, made from labelled pictures of one person at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from analysis.backends.media.frames import sampled_frames

Rgb = NDArray[np.uint8]
Span = tuple[float, float]
_NOISE = 2.0
# Coarser, the encoder takes the noise away, and a still comes out as a picture that hangs.
_LIKE_A_CAMERA = {"preset": "ultrafast", "crf": "18"}
_LIVING_FPS = 25
# Seconds to both sides of a labelled moment. Not more: 0.2 s before one of them somebody still
# looks aside, so that with 0.3 s the truth was wrong there, and not the measure.
_LABEL_HOLDS = 0.15


@dataclass(frozen=True, slots=True)
class DrawnClip:
    """Clip defined by `paint`, which returns the picture at a time in the clip's size."""

    seconds: float
    paint: Callable[[float], Rgb]
    away: tuple[Span, ...] = ()
    black: tuple[Span, ...] = ()


def write(clip: DrawnClip, path: Path, *, fps: int = 25, height: int = 720) -> Path:
    """Encode a clip as a camera would: H.264 with noise, so that no two frames are equal."""
    width = height * 16 // 9 // 2 * 2
    grain = np.random.default_rng(7).normal(0, _NOISE, (8, height, width)).round().astype(np.int16)
    scaled = _Scaled(width, height)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options=_LIKE_A_CAMERA)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = Fraction(1, fps)
        for index in range(round(clip.seconds * fps)):
            planes = scaled.planes(clip.paint(index / fps)).copy()
            noisy = planes[:height].astype(np.int16) + grain[index % 8]
            planes[:height] = noisy.clip(0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts = index
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


class _Scaled:
    """Pictures at the clip's size as YUV planes; the last one is cached, since most repeat."""

    def __init__(self, width: int, height: int) -> None:
        self._size = width, height
        self._last: tuple[Rgb, Rgb] | None = None

    def planes(self, picture: Rgb) -> Rgb:
        """Return the planes, shape (3/2 height, width): luma, then both colours
        at half the size.
        """
        if self._last is not None and self._last[0] is picture:
            return self._last[1]
        small = Image.fromarray(picture).resize(self._size, Image.Resampling.BILINEAR)
        frame = av.VideoFrame.from_ndarray(np.asarray(small), format="rgb24")
        planes: Rgb = frame.reformat(format="yuv420p").to_ndarray().astype(np.uint8, copy=False)
        self._last = picture, planes
        return planes


def canvas(picture: Path, *, width: int = 1280, height: int = 720, share: float = 0.9) -> Rgb:
    """Return the picture on a textured wall, `share` of the height high."""
    with Image.open(picture) as image:
        return _on_wall(image.convert("RGB"), width, height, share)


def _on_wall(picture: Image.Image, width: int, height: int, share: float) -> Rgb:
    wall = _wall(width, height)
    scale = share * height / picture.height
    small = picture.resize((round(picture.width * scale), round(height * share)))
    wall.paste(small, ((width - small.width) // 2, height - small.height))
    return np.asarray(wall)


def _wall(width: int, height: int) -> Image.Image:
    generator = np.random.default_rng(11)
    coarse = generator.integers(90, 170, (height // 40, width // 40, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)


def on_grey(picture: Image.Image, corner: tuple[int, int]) -> Rgb:
    """Return a grey scene of 1280 x 720 with the picture's upper left corner at this position."""
    scene = Image.new("RGB", (1280, 720), (120, 120, 120))
    scene.paste(picture, corner)
    return np.asarray(scene)


def looking(camera: Path, away: Path, spans: tuple[Span, ...], seconds: float) -> DrawnClip:
    """Return a person who looks into the camera except in these spans."""
    pictures = {True: canvas(away), False: canvas(camera)}

    def paint(time: float) -> Rgb:
        return pictures[any(start <= time < end for start, end in spans)]

    return DrawnClip(seconds=seconds, paint=paint, away=spans)


def living(
    camera: tuple[Path, float], away: tuple[Path, float], spans: tuple[Span, ...], seconds: float
) -> DrawnClip:
    """Return the same from real video: frames around two labelled moments, played forwards and
    backwards.
    """
    moving = {True: _around(*away), False: _around(*camera)}

    def paint(time: float) -> Rgb:
        frames = moving[any(start <= time < end for start, end in spans)]
        place = round(time * _LIVING_FPS) % (2 * len(frames) - 2)
        return frames[min(place, 2 * len(frames) - 2 - place)]

    return DrawnClip(seconds=seconds, paint=paint, away=spans)


def _around(video: Path, moment: float) -> list[Rgb]:
    """Return the frames to which the label of a moment applies; each was checked by eye."""
    frames = sampled_frames(
        video,
        per_second=_LIVING_FPS,
        max_side=960,
        start=max(0.0, moment - _LABEL_HOLDS),
        end=moment + _LABEL_HOLDS,
    )
    return [_on_wall(Image.fromarray(frame.rgb), 1280, 720, 0.9) for frame in frames]


def with_black(clip: DrawnClip, spans: tuple[Span, ...]) -> DrawnClip:
    """Return the same clip with the lens covered in these spans."""

    nothing = np.zeros_like(clip.paint(0.0))

    def paint(time: float) -> Rgb:
        is_black = any(start <= time < end for start, end in spans)
        return nothing if is_black else clip.paint(time)

    return DrawnClip(seconds=clip.seconds, paint=paint, away=clip.away, black=spans)


def with_bystander(clip: DrawnClip, picture: Path, span: Span) -> DrawnClip:
    """Return the same clip with a smaller second person at the side for some time."""
    with Image.open(picture) as image:
        person = np.asarray(image.convert("RGB").resize((260, 260)))

    def paint(time: float) -> Rgb:
        frame = clip.paint(time).copy()
        if span[0] <= time < span[1]:
            frame[-260:, -260:] = person
        return frame

    return DrawnClip(seconds=clip.seconds, paint=paint, away=clip.away)


def beside_slides(clip: DrawnClip) -> DrawnClip:
    """Return the same clip as a small window in the corner of a screen full of slides."""
    slide = Image.new("RGB", (1280, 720), (250, 250, 250))
    draw = ImageDraw.Draw(slide)
    for line in range(9):
        draw.rectangle(
            (80, 80 + 60 * line, 600 + 97 * line % 250, 106 + 60 * line), fill=(40, 60, 120)
        )

    def paint(time: float) -> Rgb:
        small = Image.fromarray(clip.paint(time)).resize((320, 180))
        shown = slide.copy()
        shown.paste(small, (944, 524))
        return np.asarray(shown)

    return DrawnClip(seconds=clip.seconds, paint=paint, away=clip.away)


def mirrored(clip: DrawnClip) -> DrawnClip:
    """Return the same clip as a selfie camera shows it."""
    return DrawnClip(
        seconds=clip.seconds,
        paint=lambda time: np.ascontiguousarray(clip.paint(time)[:, ::-1]),
        away=clip.away,
    )


def moved(
    picture: Path, path: Callable[[float], float], seconds: float, *, shake: bool
) -> DrawnClip:
    """Return a person who moves sideways by `path` (pixels) in front of a still wall, or a moving
    camera.
    """
    with Image.open(picture) as image:
        scene = np.asarray(image.convert("RGB").resize((1440, 810)))
    whole = scene[45:765, 80:1360]

    def paint(time: float) -> Rgb:
        left = 80 - round(path(time))
        shifted = scene[45:765, left : left + 1280]
        if shake:
            return np.ascontiguousarray(shifted)
        frame = whole.copy()
        frame[:, 330:820] = shifted[:, 330:820]
        return frame

    return DrawnClip(seconds=seconds, paint=paint)
