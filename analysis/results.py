"""Report of an analysis: typed, JSON-ready and versioned.

Times are seconds from the start of the recording. Nothing is NaN or infinite: a value that could
not be measured is in `skipped` with a reason, never a zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from analysis.errors import ReportUnreadable
from analysis.former_reports import migrate_report
from analysis.sentences import ENGLISH, Reader, hint_of, say

SCHEMA_VERSION: Final = 2

Seconds = Annotated[float, Field(allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Reason(StrEnum):
    """Reason for a missing value. A closed list: interfaces have a sentence for each."""

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
    """Reliability of a value, as judged by its analyser."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


_DIGITS = 5
_READER: Final = "reader"


def _tidy(value: float | int | str) -> float | int | str:
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


class Note(_Document):
    """Message as data: a code of `analysis.sentences` and its values.

    The presentation layer turns it into a sentence in the reader's language.
    """

    code: str = ""
    values: dict[str, float | int | str] = Field(default_factory=dict)

    @classmethod
    def of(cls, code: str, **values: float | int | str) -> Note:
        """Return a note with that code; numbers are rounded to meaningful digits."""
        return Note(code=code, values={name: _tidy(value) for name, value in values.items()})

    @property
    def detail(self) -> str:
        """Return the sentence in English, with the advice if there is any."""
        return self.said_to(ENGLISH)

    def said_to(self, reader: Reader) -> str:
        """Return the sentence, with the advice if there is any, in the reader's language."""
        sentence = say(self.code, self.values, reader)
        return f"{sentence} {hint_of(self.code, self.values, reader)}".strip()

    def __hash__(self) -> int:
        return hash((type(self), self.code, tuple(sorted(self.values.items()))))

    @model_serializer(mode="wrap")
    def _with_its_sentence(
        self, plain: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> dict[str, Any]:
        document: dict[str, Any] = plain(self)
        if info.context:
            document["detail"] = self.said_to(info.context[_READER])
        return document


class AudioInfo(_Document):
    """Analysed sound, as probed.

    `track`: index among the sound tracks, of which `tracks` can be decoded; `channel`: the only
    channel used, null for all. Both count from 0; reports from before 2026-11 have null.
    """

    codec: str
    sample_rate_hz: int
    channels: int
    track: int | None = None
    tracks: int = 1
    channel: int | None = None
    start: Seconds = 0.0
    duration: Seconds | None = None


class VideoInfo(_Document):
    """Video stream, as probed. `width` and `height` are as displayed, after `rotation`."""

    width: int
    height: int
    fps: Finite | None
    rotation: Literal[0, 90, 180, 270] = 0
    codec: str = ""
    start: Seconds = 0.0


class MediaInfo(_Document):
    """Opened recording. `duration` is the readable length, `claimed_duration`
    the file's own claim.
    """

    sha256: str
    duration: Seconds
    container: str
    audio: AudioInfo | None = None
    video: VideoInfo | None = None
    claimed_duration: Seconds | None = None
    notes: tuple[Note, ...] = ()


class Word(_Document):
    """Spoken word or filler, verbatim, stripped; `start <= t < end`."""

    text: str
    start: Seconds
    end: Seconds
    probability: Share


class Unwritten(_Document):
    """Span of speech without words in the transcript, and the reason."""

    start: Seconds
    end: Seconds
    note: Note


class Event(_Document):
    """Occurrence at a time in the recording. The kinds are in `events.EVENTS`."""

    kind: str
    start: Seconds
    end: Seconds
    probability: Share | None = None
    label: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)


def in_time_order(events: Iterable[Event]) -> tuple[Event, ...]:
    """Sort events by start, then by end."""
    return tuple(sorted(events, key=lambda event: (event.start, event.end, event.kind)))


_EVERYTHING = 0.9
"""Width of a share's interval above which the value says nothing; rule of thumb."""
_MOST_A_MINUTE, _MOST_TIMES = 60.0, 5.0
"""Limits of a useful upper end of a rate: above once per second and this many times the lower end,
it reflects unknown missed fillers, not counting error. Rules of thumb.
"""


class Measurement(_Document):
    """Number with its basis.

    `n`: number of events or frames; `coverage`: share of speech time it is based on; `interval`:
    central 80%, or null without an error model.
    """

    value: Finite
    unit: str
    n: int = Field(ge=0)
    coverage: Share
    quality: Quality
    interval: tuple[Finite, Finite] | None = None

    @classmethod
    def of(
        cls,
        value: float,
        unit: str,
        *,
        n: int,
        coverage: float,
        quality: Quality,
        interval: tuple[float, float] | None = None,
    ) -> Self:
        """Return a measurement rounded to meaningful digits."""
        return cls(
            value=round(float(value), 4),
            unit=unit,
            n=n,
            coverage=round(min(max(coverage, 0.0), 1.0), 3),
            quality=quality,
            interval=None if interval is None else (round(interval[0], 4), round(interval[1], 4)),
        )

    @model_validator(mode="after")
    def _interval_is_ordered(self) -> Self:
        if self.interval is not None and self.interval[0] > self.interval[1]:
            msg = "interval must be [low, high]"
            raise ValueError(msg)
        return self

    @property
    def leaves_everything_open(self) -> bool:
        """Return whether a share could be almost anything between none and all."""
        if self.unit != "share" or self.interval is None:
            return False
        return self.interval[1] - self.interval[0] >= _EVERYTHING

    @property
    def has_no_upper_end(self) -> bool:
        """Return whether only the lower end of a rate's interval is meaningful."""
        return self.interval is not None and is_boundless(self.interval, self.unit)

    @property
    def is_open(self) -> bool:
        """Return whether the value is too uncertain to compare with."""
        return self.leaves_everything_open or self.has_no_upper_end


def is_boundless(interval: tuple[float, float], unit: str) -> bool:
    """Return whether the upper end of an interval with this unit is meaningless."""
    low, high = interval
    return unit == "per minute" and high > max(_MOST_A_MINUTE, _MOST_TIMES * low)


class Skipped(Note):
    """Reason for a missing value, with a note on what was found or would help."""

    reason: Reason

    @classmethod
    def because(cls, reason: Reason, code: str, **values: float | int | str) -> Skipped:
        """Return a skip with this reason, explained by this code."""
        note = Note.of(code, **values)
        return Skipped(reason=reason, code=note.code, values=note.values)


class Track(_Document):
    """Regular time series: `values[i]` applies at `start + i * step`; null if not measured."""

    start: Seconds
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    unit: str
    values: tuple[Finite | None, ...]


class GazeZero(_Document):
    """Direction of the speaker's gaze when facing the lens, in degrees, and its source.

    `source`: `calibration` (looked into the lens when asked), `talk` (the most frequent direction
    of the talk), `usual` (the population average) or `answer` (the direction mostly faced by a
    speaker who says that the camera was elsewhere). `*_spread` is its uncertainty, one SD.
    """

    source: Literal["calibration", "talk", "usual", "answer"]
    yaw: Finite
    pitch: Finite
    yaw_spread: Finite
    pitch_spread: Finite
    n: int = Field(ge=0)
    """Number of pictures used."""
    note: Note | None = None
    """Why an announced calibration could not be used."""


CameraAnswer = Literal["unknown", "in_front", "elsewhere"]
"""Whether the camera was in front of the speaker, by the speaker's answer."""


class GazeReading(_Document):
    """Gaze measures that apply if an answer is true."""

    measurements: dict[str, Measurement] = Field(default_factory=dict)
    skipped: dict[str, Skipped] = Field(default_factory=dict)
    events: tuple[Event, ...] = ()
    tracks: dict[str, Track] = Field(default_factory=dict)
    gaze_zero: GazeZero | None = None


class CameraQuestion(_Document):
    """Question about the direction of head and eyes, asked if it was unlikely to be the lens.

    `where` is relative to the lens: to a `side`, `below` or `above` it, `around` it (in several
    directions), or `away` (no face was shown). `share` is the share of speaking time spent there.
    There is a reading for each answer, so that an answer needs no new analysis; the report's own
    measures are those of `answer`.
    """

    where: Literal["side", "below", "above", "around", "away"]
    share: Share
    answer: CameraAnswer = "unknown"
    readings: dict[CameraAnswer, GazeReading]


class StageRecord(_Document):
    """Version, options and duration of a stage's run."""

    version: str
    seconds: Finite
    options: dict[str, Any] = Field(default_factory=dict)


class Language(_Document):
    """Spoken language. `source`: `given` by the person, `detected`, or `default`."""

    code: str
    source: Literal["given", "detected", "default"]
    probability: Share | None = None


class Report(_Document):
    """Complete result of the analysis of one recording."""

    schema_version: Literal[2] = SCHEMA_VERSION
    media: MediaInfo
    language: Language
    speech: tuple[tuple[Seconds, Seconds], ...] = ()
    words: tuple[Word, ...] = ()
    unwritten: tuple[Unwritten, ...] = ()
    events: tuple[Event, ...] = ()
    measurements: dict[str, Measurement] = Field(default_factory=dict)
    skipped: dict[str, Skipped] = Field(default_factory=dict)
    tracks: dict[str, Track] = Field(default_factory=dict)
    gaze_zero: GazeZero | None = None
    camera_question: CameraQuestion | None = None
    stages: dict[str, StageRecord] = Field(default_factory=dict)
    models: dict[str, str] = Field(default_factory=dict)
    rostrum: str | None = None
    """The version of Rostrum that wrote the report, for display only. None in older reports."""

    @model_validator(mode="before")
    @classmethod
    def _of_any_version(cls, document: Any) -> Any:
        return migrate_report(document) if isinstance(document, dict) else document

    def events_of(self, kind: str) -> tuple[Event, ...]:
        """Return the events of one kind, in time order as stored."""
        return tuple(event for event in self.events if event.kind == kind)

    def as_json(self, *, indent: int | None = None, reader: Reader | None = None) -> str:
        """Return the JSON document for other tools; with a reader, each code has its sentence."""
        return self.model_dump_json(indent=indent, context=reader and {_READER: reader})


def load_report(document: str | bytes) -> Report:
    """Read a stored report of any version.

    Metrics added to the catalogue since are added as skipped by `metrics.complete`. Raises
    ReportUnreadable.
    """
    try:
        return Report.model_validate_json(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "document"
        raise ReportUnreadable("report_unreadable", place=place, problem=first["msg"]) from error
