"""Capture check, `python -m analysis check`: advice that makes the next recording easier to hear
and see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Literal

import numpy as np

from analysis.backends.media.audio import read_audio
from analysis.backends.media.frames import sampled_frames
from analysis.backends.media.probe import read_media
from analysis.backends.scratch import scratch_folder
from analysis.backends.sight.watching import LONGEST_SIDE_PX, SAMPLES_PER_SECOND, watch_frames
from analysis.backends.speech.voice_activity import find_speech
from analysis.errors import ModelUnavailable
from analysis.ports import SAMPLE_RATE_HZ, FloatArray, Limits, Sight, Span
from analysis.results import MediaInfo, Note, VideoInfo

_SECONDS = 10.0
"""Length examined; a sample lasts about five seconds, and of a longer one only the beginning is
used.
"""

# Clipping below 0.5% and 15 dB above the noise, as in `talk.unmeasurable`. All are rules of thumb.
_MOST_CLIPPED, _LEAST_SNR_DB = 0.005, 15.0
_QUIET_DB, _LOUD_DB = -35.0, -10.0
_FULL_SCALE = 0.999
_LEAST_SPEECH_SECONDS = 1.0
_FRAME = SAMPLE_RATE_HZ // 50
# Rules of thumb; the face sizes are those from which head and eyes can be read.
_DARK, _BRIGHT = 0.2, 0.85
_SMALL_PX, _FINE_PX = 60.0, 120.0
_NEAR_SHARE, _FAR_SHARE = 0.6, 0.12
_MIDDLE = (0.25, 0.75)
_HEADROOM = 0.02
_SIDEWAYS_DEGREES = 45.0
# Faces in 28 ordinary recordings have a sharpness of 0.3 or more; at 0.18 the eyes are read five
# degrees off (docs/lab/watching.md).
_BLURRED = 0.2
_SHORTEST_SECONDS = 2.5
_CLEAR = 0.5

State = Literal["fine", "improve", "unknown"]


@dataclass(frozen=True, slots=True)
class CaptureFinding:
    """One finding of the check; `note` says what to do, or that nothing is needed."""

    topic: str
    state: State
    note: Note
    value: float | None = None
    unit: str = ""


def check(path: Path) -> dict[str, object]:
    """Check sound and picture of a short sample and return the findings.

    Each finding has a `topic`, a `state`, a code of `analysis.sentences` with its `values`, and the
    measured `value` in `unit`. Raises an AnalysisError if the file cannot be read.
    """
    with scratch_folder() as folder:
        audio_path = folder / "audio.f32"
        media = read_media(path, audio_path=audio_path, limits=Limits(), progress=_silent)
        findings = [*_sound(audio_path, media), *_picture(path, media)]
    return {
        "duration": round(media.duration, 2),
        "is_ready": all(finding.state != "improve" for finding in findings),
        "findings": [plain(finding) for finding in findings],
    }


def plain(finding: CaptureFinding) -> dict[str, object]:
    """Return the finding as a dictionary for JSON."""
    return {
        "topic": finding.topic,
        "state": finding.state,
        **finding.note.model_dump(mode="json"),
        "value": None if finding.value is None else round(finding.value, 3),
        "unit": finding.unit,
    }


def _finding(
    topic: str, state: State, code: str, value: float | None = None, unit: str = ""
) -> CaptureFinding:
    return CaptureFinding(topic, state, Note.of(code), value, unit)


def _silent(_share: float) -> None:
    """Ignore progress; five seconds need no progress bar."""


def _sound(audio_path: Path, media: MediaInfo) -> Iterator[CaptureFinding]:
    if media.audio is None or not audio_path.exists():
        yield _finding("level", "improve", "sample_silent")
        return
    samples = np.array(read_audio(audio_path)[: int(_SECONDS * SAMPLE_RATE_HZ)])
    speech = find_speech(samples, progress=_silent)
    if media.duration < _SHORTEST_SECONDS:
        yield _finding("level", "improve", "sample_short", media.duration, "s")
        return
    if sum(end - start for start, end in speech) < _LEAST_SPEECH_SECONDS:
        yield _finding("level", "improve", "sample_without_voice")
        return
    yield from heard(samples, speech)


def heard(samples: FloatArray, speech: tuple[Span, ...]) -> Iterator[CaptureFinding]:
    """Yield findings about level, clipping and noise; `speech` are the spans with a voice, in
    seconds.
    """
    levels = _levels(samples)
    times = np.arange(len(levels)) * _FRAME / SAMPLE_RATE_HZ
    spoken = np.zeros(len(levels), dtype=bool)
    for start, end in speech:
        spoken |= (times >= start) & (times < end)
    voice = float(np.percentile(levels[spoken], 75))
    yield _level(voice)
    clipped = float((np.abs(samples) >= _FULL_SCALE).mean())
    if clipped > _MOST_CLIPPED:
        yield _finding("clipping", "improve", "sample_clipped", clipped, "share")
    else:
        yield _finding("clipping", "fine", "sample_clipping_fine", clipped, "share")
    gaps = levels[~spoken]
    if len(gaps) < len(levels) // 20:
        yield _finding("noise", "unknown", "sample_without_gap")
        return
    snr = voice - float(np.median(gaps))
    if snr < _LEAST_SNR_DB:
        yield _finding("noise", "improve", "sample_noisy", snr, "dB")
    else:
        yield _finding("noise", "fine", "sample_noise_fine", snr, "dB")


def _levels(samples: FloatArray) -> FloatArray:
    """Return the level of each 20 ms in dB relative to full scale, shape (frames,)."""
    frames = samples[: len(samples) // _FRAME * _FRAME].reshape(-1, _FRAME)
    power = np.mean(np.square(frames, dtype=np.float64), axis=1)
    levels: FloatArray = (10 * np.log10(power + 1e-10)).astype(np.float32)
    return levels


def _level(voice: float) -> CaptureFinding:
    if voice < _QUIET_DB:
        return _finding("level", "improve", "sample_quiet", voice, "dB")
    if voice > _LOUD_DB:
        return _finding("level", "improve", "sample_loud", voice, "dB")
    return _finding("level", "fine", "sample_level_fine", voice, "dB")


def _picture(path: Path, media: MediaInfo) -> Iterator[CaptureFinding]:
    if media.video is None:
        yield _finding("framing", "unknown", "sample_without_picture")
        return
    frames = sampled_frames(
        path, per_second=SAMPLES_PER_SECOND, max_side=LONGEST_SIDE_PX, end=_SECONDS
    )
    try:
        sight = watch_frames(
            takewhile(lambda frame: frame.time < _SECONDS, frames),
            source_width=media.video.width,
        )
    except ModelUnavailable as error:
        yield CaptureFinding("framing", "unknown", Note.of(error.says, **error.values))
        return
    yield from seen(sight, media.video)


def seen(sight: Sight, video: VideoInfo) -> Iterator[CaptureFinding]:
    """Yield findings about the picture; face boxes are in camera pixels."""
    found = np.isfinite(sight.head[:, 0])
    if not len(found) or found.mean() < 0.5:
        yield _no_face(sight)
        return
    box = np.median(sight.face_box[found], axis=0)
    yield _light(float(np.median(sight.face_light[found])))
    yield _sharpness(float(np.median(sight.sharpness[found])), float(box[3]))
    yield _framing(sight, video, box, float(np.median(np.abs(sight.head[found, 2]))))
    yield _face_size(float(box[3]))
    yield _distance(float(box[3]) / video.height)
    yield _hands(sight)


def _no_face(sight: Sight) -> CaptureFinding:
    light = float(np.median(sight.light)) if len(sight.light) else 0.0
    if light < _DARK / 2:
        return _finding("light", "improve", "sample_black", light, "share")
    return _finding("framing", "improve", "sample_without_face")


def _light(light: float) -> CaptureFinding:
    if light < _DARK:
        return _finding("light", "improve", "sample_dark", light, "share")
    if light > _BRIGHT:
        return _finding("light", "improve", "sample_bright", light, "share")
    return _finding("light", "fine", "sample_light_fine", light, "share")


def _sharpness(sharpness: float, height: float) -> CaptureFinding:
    if height < _SMALL_PX:
        return _finding("sharpness", "unknown", "sample_face_tiny")
    if sharpness < _BLURRED:
        return _finding("sharpness", "improve", "sample_blurred", sharpness, "detail")
    return _finding("sharpness", "fine", "sample_sharpness_fine", sharpness, "detail")


def _framing(sight: Sight, video: VideoInfo, box: FloatArray, roll: float) -> CaptureFinding:
    middle = float(box[0] + box[2] / 2) / video.width
    several = float((sight.face_count > 1).mean())
    if roll > _SIDEWAYS_DEGREES:
        code = "sample_sideways"
    elif several > 0.5:
        code = "sample_of_several"
    elif not _MIDDLE[0] <= middle <= _MIDDLE[1]:
        code = "sample_at_edge"
    elif float(box[1]) / video.height < _HEADROOM:
        code = "sample_head_cut"
    elif float(box[1] + box[3]) / video.height > 1 - _HEADROOM:
        code = "sample_chin_cut"
    else:
        return _finding("framing", "fine", "sample_framing_fine", middle, "share")
    return _finding("framing", "improve", code, middle, "share")


def _face_size(height: float) -> CaptureFinding:
    if height < _SMALL_PX:
        note = Note.of("sample_face_small", height=height, needed=_SMALL_PX)
        return CaptureFinding("face_size", "improve", note, height, "px")
    if height < _FINE_PX:
        return _finding("face_size", "improve", "sample_eyes_small", height, "px")
    return _finding("face_size", "fine", "sample_face_fine", height, "px")


def _distance(share: float) -> CaptureFinding:
    if share > _NEAR_SHARE:
        return _finding("distance", "improve", "sample_near", share, "share of height")
    if share < _FAR_SHARE:
        return _finding("distance", "improve", "sample_far", share, "share of height")
    return _finding("distance", "fine", "sample_distance_fine", share, "share of height")


def _hands(sight: Sight) -> CaptureFinding:
    elbows = float((np.nan_to_num(sight.pose[:, 5:7, 2]).max(axis=1) > _CLEAR).mean())
    if elbows > 0.5:
        return _finding("hands", "fine", "sample_hands_fine")
    return _finding("hands", "unknown", "sample_without_hands")
