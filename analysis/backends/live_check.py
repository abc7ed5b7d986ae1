"""Live check, `python -m analysis live`: findings about one picture or a second of sound during
setup.

Requests arrive on standard input: a line of JSON (`kind`, `bytes`, and for a picture the `width`
and `height` of the camera), then that many bytes: a JPEG, or 16-bit mono samples at 16 kHz. Each is
answered by one line: `findings` as in `capture_check`, empty if the content could not be read.
Two further kinds are for the gaze calibration: `eyes` answers a JPEG with the angles of head and
eyes and the distance, `calibration` answers the looks at all points (JSON) with what was fitted.
Models stay loaded, nothing is stored, and the process ends with its caller.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import IO, Any

import numpy as np
from PIL import Image

from analysis.backends.capture_check import CaptureFinding, heard, plain, seen
from analysis.backends.media.frames import Frame, RgbArray
from analysis.backends.sight.series import Observation, series_of
from analysis.backends.sight.watcher import Watcher, WatchOptions, watcher
from analysis.backends.sight.watching import LONGEST_SIDE_PX, SAMPLES_PER_SECOND
from analysis.backends.speech.voice_activity import find_speech
from analysis.errors import ModelUnavailable
from analysis.ports import FloatArray
from analysis.results import Note, VideoInfo
from analysis.talk.facing import CLOSED_FROM, LEAST_EYE_CONTRAST
from analysis.talk.gaze_calibration import CalibrationLook, distance_cm, fit_calibration

_MOST_PIXELS = 4_000_000
_PARTS = ("face", "pose")
_LEAST_SPEECH_SECONDS = 0.3
"""Shortest speech; less may be a cough (rule of thumb)."""


class LiveCheck:
    """Checker for repeated pictures and sounds. Use it as a context manager."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._watcher: Watcher | None = None
        self._looks = 0

    def __enter__(self) -> LiveCheck:
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def picture(self, content: bytes, *, width: int, height: int) -> Iterator[CaptureFinding]:
        """Yield findings about a picture; `width` and `height` are those of the camera."""
        rgb = _decoded(content)
        if rgb is None:
            return
        try:
            seen_there = self._look(rgb)
        except ModelUnavailable as error:
            yield CaptureFinding("framing", "unknown", Note.of(error.says, **error.values))
            return
        sight = series_of([seen_there], 1 / SAMPLES_PER_SECOND, _PARTS)
        scale = width / rgb.shape[1]
        sight = replace(sight, face_box=sight.face_box * scale)
        yield from seen(sight, VideoInfo(width=width, height=height, fps=None))

    def eyes(self, content: bytes) -> Iterator[dict[str, object]]:
        """Yield the angles of head and eyes and the distance of the largest face, if its eyes are
        open and can be read.
        """
        rgb = _decoded(content)
        if rgb is None:
            return
        faces = self._look(rgb).faces
        face = max(faces, key=lambda one: one.height, default=None)
        if face is None or face.eyes is None or face.blink > CLOSED_FROM:
            return
        if face.eye_contrast is not None and face.eye_contrast < LEAST_EYE_CONTRAST:
            return
        [(left, top, _), (right, bottom, _)] = face.eyes_at
        apart = math.hypot(right - left, bottom - top) / math.cos(math.radians(face.yaw))
        distance = distance_cm(apart, float(max(rgb.shape[:2])))
        numbers = (face.yaw, face.pitch, *face.eyes, distance)
        yield {"look": [round(number, 2) for number in numbers]}

    def _look(self, rgb: RgbArray) -> Observation:
        """Examine one picture. Raises ModelUnavailable."""
        watching = self._opened()
        self._looks += 1
        return watching.take_alone(Frame(time=self._looks / SAMPLES_PER_SECOND, rgb=rgb))

    def warm_up(self) -> None:
        """Load the models that the first request would wait for."""
        picture = io.BytesIO()
        Image.new("RGB", (128, 128)).save(picture, "JPEG")
        list(self.picture(picture.getvalue(), width=128, height=128))
        list(self.sound(bytes(32_000)))

    def _opened(self) -> Watcher:
        if self._watcher is None:
            looking = WatchOptions(parts=_PARTS, spares_still=False)
            self._watcher = self._stack.enter_context(watcher(looking))
        return self._watcher

    def sound(self, content: bytes) -> Iterator[CaptureFinding]:
        """Yield findings about a second or more of sound."""
        whole = content[: len(content) // 2 * 2]
        samples: FloatArray = np.frombuffer(whole, dtype="<i2").astype(np.float32)
        samples /= 32768
        speech = find_speech(samples, progress=_silent)
        if sum(end - start for start, end in speech) < _LEAST_SPEECH_SECONDS:
            # People who are setting up need not speak all the time.
            yield CaptureFinding("level", "unknown", Note.of("sample_without_voice"))
            return
        yield from heard(samples, speech)


def _silent(_share: float) -> None:
    """Ignore progress; a second of sound needs no progress bar."""


def serve(source: IO[bytes], target: IO[bytes]) -> None:
    """Answer requests until the input ends."""
    with LiveCheck() as check:
        check.warm_up()
        while line := source.readline():
            asked = json.loads(line)
            content = source.read(asked["bytes"])
            try:
                findings = list(_answer(check, asked, content))
            except Exception:  # noqa: BLE001 - hostile bytes may raise anything, and say nothing
                findings = []
            target.write(json.dumps({"findings": findings}).encode() + b"\n")
            target.flush()


def _answer(
    check: LiveCheck, asked: Mapping[str, Any], content: bytes
) -> Iterator[dict[str, object]]:
    match asked["kind"]:
        case "sound":
            return map(plain, check.sound(content))
        case "eyes":
            return check.eyes(content)
        case "calibration":
            return _calibration(content, **asked["about"])
        case _:
            found = check.picture(content, width=asked["width"], height=asked["height"])
            return map(plain, found)


def _calibration(content: bytes, *, shown: int, knows_screen: bool) -> Iterator[dict[str, object]]:
    """Yield the calibration that fits the looks, or the note why none does."""
    looks = [CalibrationLook.of(row) for row in json.loads(content)]
    fitted = fit_calibration(looks, shown=shown, knows_screen=knows_screen)
    if isinstance(fitted, Note):
        yield fitted.model_dump(mode="json")
        return
    yield {
        "calibration": fitted.calibration._asdict(),
        "points": fitted.points,
        "distance_cm": fitted.distance_cm,
    }


def _decoded(content: bytes) -> RgbArray | None:
    """Return the picture of a JPEG at the size for watching; None if it has too many pixels."""
    with Image.open(io.BytesIO(content), formats=("JPEG",)) as image:
        if image.width * image.height > _MOST_PIXELS:
            return None
        image.thumbnail((LONGEST_SIDE_PX, LONGEST_SIDE_PX))
        return np.asarray(image.convert("RGB"))
