"""What the parts of the analysis hand to each other, and the protocols they meet at.

`Prepared`, `Transcript`, `Sound` and `Sight` are the artefacts of the stages that need heavy
libraries; analysers are given the `Talk` that is built of them, and
return `Measured`. Nobody mutates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

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
"""Everything that listens gets mono float32 at this rate; sample 0 is media time 0."""

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
"""The order of the points in `Sight.pose`; left is the speaker's own left."""

Span = tuple[float, float]
EVERYTHING: tuple[Span, ...] = ((0.0, float("inf")),)
Progress = Callable[[float], None]
"""Called now and then with the share done, 0 to 1. It may raise to stop the stage."""

SpeechSize = Literal["tiny.en", "base.en", "small.en"]
"""Sizes of Whisper for English; other languages are read by the multilingual base model."""
DEFAULT_SIZE: SpeechSize = "tiny.en"
"""The one whose encoder the English head of fillers knows, too."""

Engine = Literal["ctranslate2", "openai-whisper", "faster-whisper"]
"""What reads English: a size of Whisper with 8 bits, the same with all bits in the reference
implementation, or the multilingual base model."""
DEFAULT_ENGINE: Engine = "ctranslate2"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the person said about the recording.

    `skip` holds metric families that must not be computed at all; `start` and `end` mark the
    part of the media (seconds) to measure, without what lies in `left_out`, where others speak;
    times in the report stay media times.
    """

    language: str = "en"
    engine: Engine = DEFAULT_ENGINE
    size: SpeechSize = DEFAULT_SIZE
    setting: Setting = "camera"
    camera_position: CameraPosition | None = None
    camera_in_front: bool | None = None
    """What the speaker answered where head and eyes rested beside the lens; None: not asked yet."""
    spoke_alone: bool = False
    """The speaker says that nobody else was heard, where it sounded as if others were talking."""
    mirrored: bool = False
    calibration: Span | None = None
    """Media time at the beginning in which the speaker was asked to look into the lens, if any."""
    skip: frozenset[str] = frozenset()
    start: float | None = None
    end: float | None = None
    left_out: tuple[Span, ...] = ()

    @property
    def parts(self) -> tuple[Span, ...]:
        """What is measured, in time order."""
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
        """Where the talk begins: looking into the lens for calibration is no part of it."""
        start = self.start or 0.0
        return start if self.calibration is None else max(start, self.calibration[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the prepare stage refuses. The defaults are settings of the product, not of science."""

    max_seconds: float = 3 * 3600.0
    max_bytes: int = 8 * 1024**3
    max_pixels: int = 8192 * 4320


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What `prepare` found and wrote.

    `audio_path`: raw little-endian float32 mono samples at SAMPLE_RATE_HZ, sample 0 at media time
    0 (late audio is padded with silence), or None without sound. `speech`: regions with voice
    activity, all gaps of 100 ms and more kept. `playback_path` is None until
    the copy for playback is made.
    """

    media: MediaInfo
    audio_path: Path | None
    speech: tuple[Span, ...]
    poster_path: Path | None = None
    playback_path: Path | None = None
    encodes_copy: bool = False
    """Whether the copy for playback has its picture encoded again, which takes a hundred times as
    long as copying it."""
    notes: tuple[Note, ...] = ()


Doubt = Literal["", "repeats", "unsure"]
"""Why what was read is not believed: it goes round in circles, or the recogniser doubts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One stretch of recognised text with the recogniser's own doubts."""

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
    """A stretch that sounds like a filled pause to the head on the recogniser's encoder."""

    start: float
    end: float
    log_odds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """Raw words as recognised. Boundaries are corrected later, against voice activity."""

    language: Language
    segments: tuple[Segment, ...]
    model: str
    ear: str = ""
    """Who listened for fillers, where that is another one than who read the words."""
    dropped: tuple[Segment, ...] = ()
    """What was read and is not believed, each over the whole window in which it was read."""
    spoken_language: Language | None = None
    """What language detection heard, where it ran; a mismatch skips the text metrics."""
    chance_of_language: float | None = None
    """Probability that detection gave to the language it was read in."""
    primed: tuple[tuple[Word, ...], ...] = ()
    """Second readings, primed with fillers, of the windows in which they wrote some: all words."""
    witnesses: tuple[tuple[Word, ...], ...] = ()
    """Third readings, in languages that have a text for them, where they wrote some: all words."""
    filler_slots: tuple[Word, ...] = ()
    """Places between the words where such a reading could well have written one; no length."""
    filler_sounds: tuple[FillerSound, ...] | None = None
    """Stretches that sound like one, also faintly; None where the reader has no head."""

    @property
    def listener(self) -> str:
        """The model on whose sound and primed readings the fillers rest."""
        return self.ear or self.model

    @property
    def words(self) -> tuple[Word, ...]:
        """All words that were written, in time order."""
        return tuple(word for segment in self.segments for word in segment.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """Acoustic series over the whole media, on one clock of `step` seconds from media time 0."""

    step: float
    f0_hz: FloatArray
    """Fundamental frequency, NaN where unvoiced."""
    level_db: FloatArray
    """A-weighted level, dB relative to full scale; NaN in what a talk leaves out."""
    flux: FloatArray
    """Spectral change between neighbouring frames, relative to the speaker's own median."""
    clipped: FloatArray
    """Share of clipped samples in each frame."""
    timbre: FloatArray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    """(n, coefficients): cepstrum of each frame, without its level; empty where not computed."""


def _nothing() -> FloatArray:
    return np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What was seen in each sampled frame. Angles in degrees; NaN where nothing was found."""

    times: FloatArray
    face_count: FloatArray
    face_box: FloatArray
    """(n, 4): x, y, width, height in pixels of the displayed picture."""
    head: FloatArray
    """(n, 3): yaw, pitch, roll with the signs of the metric catalogue."""
    eyes: FloatArray
    """(n, 2): horizontal and vertical eye direction relative to the head, same signs."""
    blink: FloatArray
    pose: FloatArray
    """(n, points, 3): x and y in picture widths, visibility; the points are POSE_POINTS."""
    light: FloatArray
    """Mean luma of the frame, 0 to 1."""
    sharpness: FloatArray
    camera_shift: FloatArray
    """(n, 2): shift of the background since the frame before, in picture widths."""
    rival: FloatArray = field(default_factory=_nothing)
    """Height of the largest other face over that of the followed one; 0 where it is alone."""
    face_light: FloatArray = field(default_factory=_nothing)
    """Mean luma of the followed face, 0 to 1."""
    eye_contrast: FloatArray = field(default_factory=_nothing)
    """Spread of the luma in the clearer eye over that of the face; NaN where no eyes were read."""
    source_step: float = 0.2
    """Seconds between samples that were asked for."""
    watched: tuple[str, ...] = ("face", "pose")
    """What was looked for: a profile switch leaves parts out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one analyser found out."""

    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    skipped: Mapping[str, Skipped] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    tracks: Mapping[str, Track] = field(default_factory=dict)
    gaze_zero: GazeZero | None = None
    camera_question: CameraQuestion | None = None

    @classmethod
    def skipping(cls, metric_ids: Iterable[str], skipped: Skipped) -> Measured:
        """Nothing measured, everywhere for the same reason."""
        return cls(skipped=dict.fromkeys(metric_ids, skipped))


class Transcriber(Protocol):
    """A speech recogniser with word times."""

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
        """Recognise what was said in the speech regions, and listen in no other part."""
