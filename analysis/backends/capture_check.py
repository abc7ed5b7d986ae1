"""`python -m analysis check`: what would make the next recording easier to hear and see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
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
from analysis.results import MediaInfo, VideoInfo

_SECONDS = 10.0
"""A sample is about five seconds long; of a longer one the beginning is looked at."""

# Clipping under 0.5 %, 15 dB over the noise, as `talk.cautions` asks. All are rules of thumb.
_MOST_CLIPPED, _LEAST_SNR_DB = 0.005, 15.0
_QUIET_DB, _LOUD_DB = -35.0, -10.0
_FULL_SCALE = 0.999
_LEAST_SPEECH_SECONDS = 1.0
_FRAME = SAMPLE_RATE_HZ // 50
# Rules of thumb; the sizes of face are those from which head and eyes can be read.
_DARK, _BRIGHT = 0.2, 0.85
_SMALL_PX, _FINE_PX = 60.0, 120.0
_NEAR_SHARE, _FAR_SHARE = 0.6, 0.12
_MIDDLE = (0.25, 0.75)
_HEADROOM = 0.02
_SIDEWAYS_DEGREES = 45.0
# Faces of 28 plain recordings have a sharpness of 0.3 and more; at 0.18 the eyes are read five
# degrees off (docs/accuracy.md).
_BLURRED = 0.2
_SHORTEST_SECONDS = 2.5
_CLEAR = 0.5

State = Literal["fine", "improve", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `words` say what to do, or that it is fine as it is."""

    topic: str
    state: State
    words: str
    value: float | None = None
    unit: str = ""


def check(path: Path) -> dict[str, object]:
    """Look at and listen to a short sample; raises the AnalysisErrors of an unreadable file."""
    with scratch_folder() as folder:
        audio_path = folder / "audio.f32"
        media = read_media(path, audio_path=audio_path, limits=Limits(), progress=_silent)
        findings = [*_sound(audio_path, media), *_picture(path, media)]
    return {
        "duration": round(media.duration, 2),
        "is_ready": all(finding.state != "improve" for finding in findings),
        "findings": [_plain(finding) for finding in findings],
    }


def _plain(finding: Finding) -> dict[str, object]:
    value = None if finding.value is None else round(finding.value, 3)
    return {**asdict(finding), "value": value}


def _silent(_share: float) -> None:
    """Five seconds need no progress bar."""


def _sound(audio_path: Path, media: MediaInfo) -> Iterator[Finding]:
    if media.audio is None or not audio_path.exists():
        yield Finding("level", "improve", "There is no sound. Allow the microphone and try again.")
        return
    samples = np.array(read_audio(audio_path)[: int(_SECONDS * SAMPLE_RATE_HZ)])
    speech = find_speech(samples, progress=_silent)
    if media.duration < _SHORTEST_SECONDS:
        words = "The sample is short. Let it run for about five seconds, and speak all the while."
        yield Finding("level", "improve", words, media.duration, "s")
        return
    if sum(end - start for start, end in speech) < _LEAST_SPEECH_SECONDS:
        yield Finding(
            "level",
            "improve",
            "No voice was heard. Say a few sentences as you would "
            "in your talk, and look whether the right microphone is chosen.",
        )
        return
    yield from _heard(samples, speech)


def _heard(samples: FloatArray, speech: tuple[Span, ...]) -> Iterator[Finding]:
    levels = _levels(samples)
    times = np.arange(len(levels)) * _FRAME / SAMPLE_RATE_HZ
    spoken = np.zeros(len(levels), dtype=bool)
    for start, end in speech:
        spoken |= (times >= start) & (times < end)
    voice = float(np.percentile(levels[spoken], 75))
    yield _level(voice)
    clipped = float((np.abs(samples) >= _FULL_SCALE).mean())
    if clipped > _MOST_CLIPPED:
        yield Finding(
            "clipping",
            "improve",
            "The sound is cut off at its loudest. Turn the "
            "microphone's level down, or move it a hand's width away.",
            clipped,
            "share",
        )
    else:
        yield Finding("clipping", "fine", "Nothing is cut off.", clipped, "share")
    gaps = levels[~spoken]
    if len(gaps) < len(levels) // 20:
        yield Finding(
            "noise",
            "unknown",
            "Leave a second of silence at the start, and we can hear how quiet your room is.",
        )
        return
    snr = voice - float(np.median(gaps))
    if snr < _LEAST_SNR_DB:
        yield Finding(
            "noise",
            "improve",
            "There is a lot of sound besides your voice. Close the "
            "window, switch off a fan, or bring the microphone nearer.",
            snr,
            "dB",
        )
    else:
        yield Finding("noise", "fine", "Your voice stands out clearly.", snr, "dB")


def _levels(samples: FloatArray) -> FloatArray:
    """Level of each 20 ms, dB relative to full scale."""
    frames = samples[: len(samples) // _FRAME * _FRAME].reshape(-1, _FRAME)
    power = np.mean(np.square(frames, dtype=np.float64), axis=1)
    levels: FloatArray = (10 * np.log10(power + 1e-10)).astype(np.float32)
    return levels


def _level(voice: float) -> Finding:
    if voice < _QUIET_DB:
        words = "Your voice is quiet here. Come nearer to the microphone or turn its level up."
        return Finding("level", "improve", words, voice, "dB")
    if voice > _LOUD_DB:
        words = "Your voice is near the top of the scale. Turn the microphone's level down a bit."
        return Finding("level", "improve", words, voice, "dB")
    return Finding("level", "fine", "Your voice comes through at a good level.", voice, "dB")


def _picture(path: Path, media: MediaInfo) -> Iterator[Finding]:
    if media.video is None:
        yield Finding(
            "framing",
            "unknown",
            "There is no picture, so face and hands stay out of your feedback.",
        )
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
        yield Finding("framing", "unknown", f"{error.sentence} {error.hint}")
        return
    yield from _seen(sight, media.video)


def _seen(sight: Sight, video: VideoInfo) -> Iterator[Finding]:
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


def _no_face(sight: Sight) -> Finding:
    light = float(np.median(sight.light)) if len(sight.light) else 0.0
    if light < _DARK / 2:
        words = "The picture is dark. Open the camera's cover and put a lamp in front of you."
        return Finding("light", "improve", words, light, "share")
    words = (
        "Your face was not found. Sit or stand so that the camera sees all of it from the front, "
        "no further away than about two metres."
    )
    return Finding("framing", "improve", words)


def _light(light: float) -> Finding:
    if light < _DARK:
        words = "Your face is in the dark. Turn to a window or put a lamp in front of you."
        return Finding("light", "improve", words, light, "share")
    if light > _BRIGHT:
        words = "Your face is very bright. Turn a little away from the lamp or the sun."
        return Finding("light", "improve", words, light, "share")
    return Finding("light", "fine", "The light on your face is fine.", light, "share")


def _sharpness(sharpness: float, height: float) -> Finding:
    if height < _SMALL_PX:
        words = "Your face is so small in the picture that we cannot say whether it is sharp."
        return Finding("sharpness", "unknown", words)
    if sharpness < _BLURRED:
        words = "Your face is blurred. Wipe the lens, let the camera focus, and add light."
        return Finding("sharpness", "improve", words, sharpness, "detail")
    return Finding("sharpness", "fine", "The picture is sharp.", sharpness, "detail")


def _framing(sight: Sight, video: VideoInfo, box: FloatArray, roll: float) -> Finding:
    middle = float(box[0] + box[2] / 2) / video.width
    several = float((sight.face_count > 1).mean())
    if roll > _SIDEWAYS_DEGREES:
        words = "The picture lies on its side. Turn the phone, or its rotation lock off."
    elif several > 0.5:
        words = "Somebody else is in the picture. Frame yourself alone."
    elif not _MIDDLE[0] <= middle <= _MIDDLE[1]:
        words = "You are near the edge of the picture. Move to its middle."
    elif float(box[1]) / video.height < _HEADROOM:
        words = "Your head touches the upper edge. Tilt the camera up a little."
    elif float(box[1] + box[3]) / video.height > 1 - _HEADROOM:
        words = "Your chin touches the lower edge. Tilt the camera down a little."
    else:
        return Finding("framing", "fine", "You are well in the picture.", middle, "share")
    return Finding("framing", "improve", words, middle, "share")


def _face_size(height: float) -> Finding:
    if height < _SMALL_PX:
        words = (
            f"Your face is about {height:.0f} pixels high; from {_SMALL_PX:.0f} on we can say "
            f"where it is turned. Come closer or choose a higher resolution."
        )
        return Finding("face_size", "improve", words, height, "px")
    if height < _FINE_PX:
        words = "We can see where your head is turned; a little closer and we see your eyes too."
        return Finding("face_size", "improve", words, height, "px")
    return Finding("face_size", "fine", "Your face is large enough.", height, "px")


def _distance(share: float) -> Finding:
    if share > _NEAR_SHARE:
        words = "You are very near. Lean back until your shoulders are in the picture."
        return Finding("distance", "improve", words, share, "share of height")
    if share < _FAR_SHARE:
        words = "You are far from the camera. Come closer, or zoom in."
        return Finding("distance", "improve", words, share, "share of height")
    return Finding("distance", "fine", "The distance is fine.", share, "share of height")


def _hands(sight: Sight) -> Finding:
    elbows = float((np.nan_to_num(sight.pose[:, 5:7, 2]).max(axis=1) > _CLEAR).mean())
    if elbows > 0.5:
        return Finding("hands", "fine", "There is room for your hands in the picture.")
    words = "Only head and shoulders are in the picture. Move back if you want feedback on hands."
    return Finding("hands", "unknown", words)
