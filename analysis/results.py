"""The report: what the analysis found out, typed, JSON-ready and versioned.

Times are seconds from the start of the media. Nothing here is NaN or infinite: a value that
could not be measured stands in `skipped` with a reason, never as a zero.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from analysis.errors import ReportUnreadable

SCHEMA_VERSION: Final = 1

Seconds = Annotated[float, Field(allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Reason(StrEnum):
    """Why there is no value. A closed list: interfaces have a sentence for each."""

    NO_AUDIO = "no_audio"
    NO_VIDEO = "no_video"
    NO_SPEECH = "no_speech"
    TOO_SHORT = "too_short"
    LOW_COVERAGE = "low_coverage"
    POOR_SIGNAL = "poor_signal"
    AUTOMATIC_GAIN = "automatic_gain"
    NO_FACE = "no_face"
    FACE_TOO_SMALL = "face_too_small"
    SEVERAL_FACES = "several_faces"
    SEVERAL_SPEAKERS = "several_speakers"
    FRAMING = "framing"
    LANGUAGE_UNSUPPORTED = "language_unsupported"
    LANGUAGE_MISMATCH = "language_mismatch"
    OUTSIDE_TESTED_SPEECH = "outside_tested_speech"
    DISABLED_BY_PROFILE = "disabled_by_profile"
    MISSING_CONTEXT = "missing_context"
    MODEL_MISSING = "model_missing"
    STAGE_FAILED = "stage_failed"
    NOT_MEASURED_BY_THIS_VERSION = "not_measured_by_this_version"


class Quality(StrEnum):
    """How far a value can be relied on, as its analyser judges it."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class AudioInfo(_Document):
    """The first audio stream, as probed."""

    codec: str
    sample_rate_hz: int
    channels: int
    start: Seconds = 0.0
    duration: Seconds | None = None


class VideoInfo(_Document):
    """The video stream, as probed. `width` and `height` are as displayed, after `rotation`."""

    width: int
    height: int
    fps: Finite | None
    rotation: Literal[0, 90, 180, 270] = 0
    codec: str = ""
    start: Seconds = 0.0


class MediaInfo(_Document):
    """What was opened. `duration` is what could be read, `claimed_duration` what the file says."""

    sha256: str
    duration: Seconds
    container: str
    audio: AudioInfo | None = None
    video: VideoInfo | None = None
    claimed_duration: Seconds | None = None
    notes: tuple[str, ...] = ()


class Word(_Document):
    """One spoken word or filler, verbatim, stripped; `start <= t < end`."""

    text: str
    start: Seconds
    end: Seconds
    probability: Share


class Event(_Document):
    """Something that happened at a place in the recording. Kinds stand in `events.EVENTS`."""

    kind: str
    start: Seconds
    end: Seconds
    probability: Share | None = None
    label: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)


_EVERYTHING = 0.9
"""An interval of a share that is wider says nothing; rule of thumb."""


class Measurement(_Document):
    """A number with what it rests on.

    `n`: events or frames behind it; `coverage`: share of speech time that it rests on;
    `interval`: central 80 %, or null where no error model exists.
    """

    value: Finite
    unit: str
    n: int = Field(ge=0)
    coverage: Share
    quality: Quality
    interval: tuple[Finite, Finite] | None = None

    @model_validator(mode="after")
    def _interval_is_ordered(self) -> Self:
        if self.interval is not None and self.interval[0] > self.interval[1]:
            msg = "interval must be [low, high]"
            raise ValueError(msg)
        return self

    @property
    def leaves_everything_open(self) -> bool:
        """Whether a share could be nearly anything between none and all, and so is no number."""
        if self.unit != "share" or self.interval is None:
            return False
        return self.interval[1] - self.interval[0] >= _EVERYTHING


class Skipped(_Document):
    """Why there is no value, and in words what was seen or would help."""

    reason: Reason
    detail: str = ""


class Track(_Document):
    """A regular time series: `values[i]` holds at `start + i * step`; null where unmeasured."""

    start: Seconds
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    unit: str
    values: tuple[Finite | None, ...]


class GazeZero(_Document):
    """Where the speaker looks when facing the lens, in degrees, and how that was found.

    `source`: `calibration` (looked into the lens when asked), `talk` (the most frequent direction
    of the talk) or `usual` (where people at large look). `*_spread` is its uncertainty, one SD.
    """

    source: Literal["calibration", "talk", "usual"]
    yaw: Finite
    pitch: Finite
    yaw_spread: Finite
    pitch_spread: Finite
    n: int = Field(ge=0)
    """Pictures that it rests on."""
    note: str = ""
    """In words: why a calibration that was announced could not be used."""


class StageRecord(_Document):
    """What a stage ran with and how long it took."""

    version: str
    seconds: Finite
    options: dict[str, Any] = Field(default_factory=dict)


class Language(_Document):
    """`source`: `given` by the person, `detected`, or `default`."""

    code: str
    source: Literal["given", "detected", "default"]
    probability: Share | None = None


class Report(_Document):
    """Everything an analysis found out about one recording."""

    schema_version: Literal[1] = SCHEMA_VERSION
    media: MediaInfo
    language: Language
    speech: tuple[tuple[Seconds, Seconds], ...] = ()
    words: tuple[Word, ...] = ()
    events: tuple[Event, ...] = ()
    measurements: dict[str, Measurement] = Field(default_factory=dict)
    skipped: dict[str, Skipped] = Field(default_factory=dict)
    tracks: dict[str, Track] = Field(default_factory=dict)
    gaze_zero: GazeZero | None = None
    stages: dict[str, StageRecord] = Field(default_factory=dict)
    models: dict[str, str] = Field(default_factory=dict)

    def events_of(self, kind: str) -> tuple[Event, ...]:
        """The events of one kind, in time order as stored."""
        return tuple(event for event in self.events if event.kind == kind)

    def as_json(self, *, indent: int | None = None) -> str:
        """The document that other tools rely on."""
        return self.model_dump_json(indent=indent)


def load_report(document: str | bytes) -> Report:
    """Read a stored report, an older one included.

    Metrics that the catalogue has gained since are added as skipped by `metrics.complete`.
    Raises ReportUnreadable.
    """
    try:
        return Report.model_validate_json(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "document"
        raise ReportUnreadable(
            f"This is not a report that we can read: {place}: {first['msg']}."
        ) from error
