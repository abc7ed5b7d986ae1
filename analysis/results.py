"""The report: what the analysis found out, typed, JSON-ready and versioned.

Times are seconds from the start of the media. Nothing here is NaN or infinite: a value that
could not be measured stands in `skipped` with a reason, never as a zero.
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
from analysis.former_reports import in_this_version
from analysis.sentences import ENGLISH, Reader, hint_of, say

SCHEMA_VERSION: Final = 2

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


_DIGITS = 5
_READER: Final = "reader"


def _tidy(value: float | int | str) -> float | int | str:
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


class Note(_Document):
    """Something to tell a person, as data: a code of `analysis.sentences` and its values.

    Whoever shows it makes it into a sentence, in the language of the reader.
    """

    code: str = ""
    values: dict[str, float | int | str] = Field(default_factory=dict)

    @classmethod
    def of(cls, code: str, **values: float | int | str) -> Note:
        """A note of that code; numbers keep the digits that mean something."""
        return Note(code=code, values={name: _tidy(value) for name, value in values.items()})

    @property
    def detail(self) -> str:
        """The sentence in English, and what to do where that stands apart."""
        return self.said_to(ENGLISH)

    def said_to(self, reader: Reader) -> str:
        """The same in the language of whoever reads it."""
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
    """The sound that was heard, as probed.

    `track`: its place among the sound tracks, of which `tracks` can be decoded; `channel`: the only
    one that was heard, null where all were. Both count from 0; reports of before 2026-11 have null.
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
    notes: tuple[Note, ...] = ()


class Word(_Document):
    """One spoken word or filler, verbatim, stripped; `start <= t < end`."""

    text: str
    start: Seconds
    end: Seconds
    probability: Share


class Unwritten(_Document):
    """A stretch of speech without words in the transcript, and why."""

    start: Seconds
    end: Seconds
    note: Note


class Event(_Document):
    """Something that happened at a place in the recording. Kinds stand in `events.EVENTS`."""

    kind: str
    start: Seconds
    end: Seconds
    probability: Share | None = None
    label: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)


def in_time_order(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events by where they begin, then by where they end."""
    return tuple(sorted(events, key=lambda event: (event.start, event.end, event.kind)))


_EVERYTHING = 0.9
"""An interval of a share that is wider says nothing; rule of thumb."""
_MOST_A_MINUTE, _MOST_TIMES = 60.0, 5.0
"""An upper end beyond once a second that is so many times the lower one is no matter of counting,
which is surer: it says only that nobody knows how many ums went unheard. Rules of thumb."""


class Measurement(_Document):
    """A number with what it rests on.

    `n`: events or frames behind it; `coverage`: share of speech time that it rests on;
    `interval`: central 80%, or null where no error model exists.
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
        """A measurement with sensible digits."""
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
        """Whether a share could be nearly anything between none and all, and so is no number."""
        if self.unit != "share" or self.interval is None:
            return False
        return self.interval[1] - self.interval[0] >= _EVERYTHING

    @property
    def has_no_upper_end(self) -> bool:
        """Whether of a rate only the lower end of its interval says something."""
        return self.interval is not None and is_boundless(self.interval, self.unit)

    @property
    def is_open(self) -> bool:
        """Whether it leaves open how much it is, so that nothing can be compared with it."""
        return self.leaves_everything_open or self.has_no_upper_end


def is_boundless(interval: tuple[float, float], unit: str) -> bool:
    """Whether the upper end of a measure with this unit bounds nothing."""
    low, high = interval
    return unit == "per minute" and high > max(_MOST_A_MINUTE, _MOST_TIMES * low)


class Skipped(Note):
    """Why there is no value, and as a note what was seen or would help."""

    reason: Reason

    @classmethod
    def because(cls, reason: Reason, code: str, **values: float | int | str) -> Skipped:
        """For that reason, said with that code."""
        note = Note.of(code, **values)
        return Skipped(reason=reason, code=note.code, values=note.values)


class Track(_Document):
    """A regular time series: `values[i]` holds at `start + i * step`; null where unmeasured."""

    start: Seconds
    step: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    unit: str
    values: tuple[Finite | None, ...]


class GazeZero(_Document):
    """Where the speaker looks when facing the lens, in degrees, and how that was found.

    `source`: `calibration` (looked into the lens when asked), `talk` (the most frequent direction
    of the talk), `usual` (where people at large look) or `answer` (what the speaker mostly faced,
    who says that the camera stood elsewhere). `*_spread` is its uncertainty, one SD.
    """

    source: Literal["calibration", "talk", "usual", "answer"]
    yaw: Finite
    pitch: Finite
    yaw_spread: Finite
    pitch_spread: Finite
    n: int = Field(ge=0)
    """Pictures that it rests on."""
    note: Note | None = None
    """Why a calibration that was announced could not be used."""


CameraAnswer = Literal["unknown", "in_front", "elsewhere"]
"""Whether the camera stood in front of the speaker, as far as the speaker has said."""


class GazeReading(_Document):
    """What is measured about facing the camera if an answer is true."""

    measurements: dict[str, Measurement] = Field(default_factory=dict)
    skipped: dict[str, Skipped] = Field(default_factory=dict)
    events: tuple[Event, ...] = ()
    tracks: dict[str, Track] = Field(default_factory=dict)
    gaze_zero: GazeZero | None = None


class CameraQuestion(_Document):
    """Where head and eyes rested most of the time, when that is hardly the lens.

    `where` is seen from the lens: to a `side`, `below` or `above` it, `around` it (in several
    directions), or `away` (no face was shown). `share` of the time spoken was spent there. There is
    a reading for each answer, so that answering needs no new analysis; the report's own measures
    are those of `answer`.
    """

    where: Literal["side", "below", "above", "around", "away"]
    share: Share
    answer: CameraAnswer = "unknown"
    readings: dict[CameraAnswer, GazeReading]


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
        return in_this_version(document) if isinstance(document, dict) else document

    def events_of(self, kind: str) -> tuple[Event, ...]:
        """The events of one kind, in time order as stored."""
        return tuple(event for event in self.events if event.kind == kind)

    def as_json(self, *, indent: int | None = None, reader: Reader | None = None) -> str:
        """The document that other tools rely on; for a reader with a sentence beside each code."""
        return self.model_dump_json(indent=indent, context=reader and {_READER: reader})


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
        raise ReportUnreadable("report_unreadable", place=place, problem=first["msg"]) from error
