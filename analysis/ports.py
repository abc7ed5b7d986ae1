"""Data types passed between the parts of the analysis, and the protocols between them.

`Prepared`, `Transcript`, `Sound` and `Sight` are the artefacts of the stages that need heavy
libraries; analysers get the `Talk` built from them and return `Measured`. All are immutable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from analysis.results import (
    CameraQuestion,
    Event,
    GazeZero,
    Language,
    Measurement,
    MediaInfo,
    Note,
    Skipped,
    Track,
    Word,
)
from analysis.situation import CameraPosition, Setting

SAMPLE_RATE_HZ = 16_000
"""Sample rate of all decoded sound: mono float32; sample 0 is media time 0."""

FloatArray = NDArray[np.float32]
POSE_POINTS: tuple[str, ...] = (
    "nose",
    "left_ear",
    "right_ear",
    "left_shoulder",
    "right_shoulder",
    "left_elbow",
    "right_elbow",
    "left_wrist",
    "right_wrist",
    "left_hip",
    "right_hip",
)
"""Order of the points in `Sight.pose`; left is the speaker's own left."""

Span = tuple[float, float]
EVERYTHING: tuple[Span, ...] = ((0.0, float("inf")),)
Progress = Callable[[float], None]
"""Progress callback with the share done, 0 to 1. It may raise to stop the stage."""

SpeechSize = Literal["tiny.en", "base.en", "small.en"]
"""Sizes of Whisper for English; the multilingual base model reads other languages."""
DEFAULT_SIZE: SpeechSize = "tiny.en"
"""Size whose encoder the English filler head knows."""

Engine = Literal["ctranslate2", "openai-whisper", "faster-whisper"]
"""Engines for English: 8-bit Whisper, the reference implementation in full precision, or the
multilingual base model.
"""
DEFAULT_ENGINE: Engine = "ctranslate2"


class GazeCalibration(NamedTuple):
    """Speaker's own gaze calibration: degrees from the lens out of head and eye angles.

    `yaw` and `pitch` are the weights of 1, the head's angle and the eyes' angle.
    """

    yaw: tuple[float, float, float]
    pitch: tuple[float, float, float]
    error_degrees: float
    """Root mean square error on points that were left out of the fit."""
    scale_error: float
    """Share by which all angles may be too large or too small: the distance is an estimate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """User's settings for a recording.

    `skip` are metric families that must not be computed. `start` and `end` limit the measured part
    (seconds), without the spans in `left_out`, where others speak; times in the report remain media
    times.
    """

    language: str = "en"
    engine: Engine = DEFAULT_ENGINE
    size: SpeechSize = DEFAULT_SIZE
    setting: Setting = "camera"
    camera_position: CameraPosition | None = None
    camera_in_front: bool | None = None
    """The speaker's answer to the camera question; None if not asked yet."""
    spoke_alone: bool = False
    """Whether the speaker says that nobody else spoke, although it sounded so."""
    mirrored: bool = False
    calibration: Span | None = None
    """Media time at the beginning in which the speaker looked into the lens, if any."""
    gaze_calibration: GazeCalibration | None = None
    """Calibration with points on the screen, made with the camera of this recording, if any."""
    skip: frozenset[str] = frozenset()
    start: float | None = None
    end: float | None = None
    left_out: tuple[Span, ...] = ()

    @property
    def parts(self) -> tuple[Span, ...]:
        """Return the measured spans in time order."""
        at = self.measured_from
        last = float("inf") if self.end is None else self.end
        found = []
        for start, end in sorted(self.left_out):
            if start > at:
                found.append((at, min(start, last)))
            at = max(at, end)
        found.append((at, last))
        return tuple((start, end) for start, end in found if start < end)

    @property
    def measured_from(self) -> float:
        """Return the start of the talk; the calibration is not part of it."""
        start = self.start or 0.0
        return start if self.calibration is None else max(start, self.calibration[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits above which `prepare` rejects a file. The defaults are
    product settings, not science.
    """

    max_seconds: float = 3 * 3600.0
    max_bytes: int = 8 * 1024**3
    max_pixels: int = 8192 * 4320


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Result of `prepare`.

    `audio_path`: raw little-endian float32 mono samples at SAMPLE_RATE_HZ, sample 0 at media time 0
    (late audio is padded with silence), or None without sound. `speech`: spans of voice activity,
    with all gaps of 100 ms and more. `playback_path` is None until the playback copy is made.
    """

    media: MediaInfo
    audio_path: Path | None
    speech: tuple[Span, ...]
    poster_path: Path | None = None
    playback_path: Path | None = None
    encodes_copy: bool = False
    """Whether the copy's picture has to be encoded, which takes a hundred times as long as copying.
    """
    notes: tuple[Note, ...] = ()


Doubt = Literal["", "repeats", "unsure"]
"""Reason for rejecting a reading: it repeats itself, or the recogniser doubts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One passage of recognised text, with the recogniser's own confidence."""

    start: float
    end: float
    text: str
    no_speech_probability: float
    average_log_probability: float
    compression_ratio: float
    words: tuple[Word, ...]
    doubt: Doubt = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FillerSound:
    """Span that sounds like a filled pause to the filler head."""

    start: float
    end: float
    log_odds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """Raw recognised words. Boundaries are corrected later, against voice activity."""

    language: Language
    segments: tuple[Segment, ...]
    model: str
    ear: str = ""
    """Model that detected fillers, if it is not the one that transcribed."""
    dropped: tuple[Segment, ...] = ()
    """Rejected readings, each over its whole window."""
    spoken_language: Language | None = None
    """Detected language, if detection ran; a mismatch skips the text metrics."""
    chance_of_language: float | None = None
    """Probability that detection gave to the transcription language."""
    primed: tuple[tuple[Word, ...], ...] = ()
    """Second readings, primed with fillers, of windows in which they wrote some: all words."""
    witnesses: tuple[tuple[Word, ...], ...] = ()
    """Third readings, in languages with a text for them, of windows in which they wrote fillers:
    all words.
    """
    filler_slots: tuple[Word, ...] = ()
    """Slots between words where a primed reading might have written a filler; zero length."""
    filler_sounds: tuple[FillerSound, ...] | None = None
    """Spans that sound like a filled pause, also faintly; None if the reader has no head."""

    @property
    def listener(self) -> str:
        """Return the model whose sound and primed readings were used for fillers."""
        return self.ear or self.model

    @property
    def words(self) -> tuple[Word, ...]:
        """Return all recognised words, in time order."""
        return tuple(word for segment in self.segments for word in segment.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """Acoustic series of the whole recording, in steps of `step` seconds from media time 0."""

    step: float
    f0_hz: FloatArray
    """Fundamental frequency, NaN where unvoiced."""
    level_db: FloatArray
    """A-weighted level, dB relative to full scale; NaN in excluded parts."""
    flux: FloatArray
    """Spectral change between neighbouring frames, relative to the speaker's own median."""
    clipped: FloatArray
    """Share of clipped samples in each frame."""
    timbre: FloatArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    """Cepstrum of each frame without its level, shape (n, coefficients); empty if not computed."""


def _nothing() -> FloatArray:
    return np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """Visual series of the sampled frames. Angles in degrees; NaN if nothing was found."""

    times: FloatArray
    face_count: FloatArray
    face_box: FloatArray
    """Face box, shape (n, 4): x, y, width, height in pixels of the displayed picture."""
    head: FloatArray
    """Head angles, shape (n, 3): yaw, pitch, roll with the signs of the metric catalogue."""
    eyes: FloatArray
    """Eye direction relative to the head, shape (n, 2): horizontal and vertical, same signs."""
    blink: FloatArray
    pose: FloatArray
    """Body points, shape (n, points, 3): x and y in picture widths, visibility; the points are
    POSE_POINTS.
    """
    light: FloatArray
    """Mean luma of the frame, 0 to 1."""
    sharpness: FloatArray
    camera_shift: FloatArray
    """Background shift since the previous frame, shape (n, 2), in picture widths."""
    rival: FloatArray = field(default_factory=_nothing)
    """Height of the largest other face divided by the followed one; 0 without another."""
    face_light: FloatArray = field(default_factory=_nothing)
    """Mean luma of the followed face, 0 to 1."""
    eye_contrast: FloatArray = field(default_factory=_nothing)
    """Spread of the luma in the clearer eye divided by that of the face; NaN if no eyes were read.
    """
    source_step: float = 0.2
    """Requested seconds between samples."""
    watched: tuple[str, ...] = ("face", "pose")
    """Parts that were analysed; a profile setting can leave some out."""


@dataclass(frozen=True, slots=True)
class SlideChange:
    """The moment from which a slide was shown; slides count from 0."""

    seconds: float
    slide: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedSlides:
    """The text of each slide, and the changes that the recorder timed."""

    texts: tuple[str, ...]
    changes: tuple[SlideChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Result of one analyser."""

    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    skipped: Mapping[str, Skipped] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    tracks: Mapping[str, Track] = field(default_factory=dict)
    gaze_zero: GazeZero | None = None
    camera_question: CameraQuestion | None = None

    @classmethod
    def skipping(cls, metric_ids: Iterable[str], skipped: Skipped) -> Measured:
        """Return a result that skips all metrics for the same reason."""
        return cls(skipped=dict.fromkeys(metric_ids, skipped))


class Transcriber(Protocol):
    """Speech recogniser with word times."""

    model: str

    def transcribe(
        self,
        audio: FloatArray,
        *,
        speech: tuple[Span, ...],
        language: str,
        progress: Progress,
        parts: Sequence[Span] = EVERYTHING,
    ) -> Transcript:
        """Transcribe the speech regions; other `parts` of the recording are ignored."""
