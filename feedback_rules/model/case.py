"""Cases of a rule: small reports with the expected result for each."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    StrictBool,
    Tag,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from analysis.events import EVENT_KINDS
from analysis.results import Quality, Reason, Seconds, Word
from feedback_rules.model.context import Context, MetricId
from feedback_rules.model.moments import DERIVED_KINDS
from feedback_rules.model.problems import refused
from feedback_rules.model.values import Document, LanguageCode, Number, Share, equals


def _known_event(name: str) -> str:
    if name not in EVENT_KINDS:
        raise refused("event_unknown", name=name)
    return name


def _known_moment(name: str) -> str:
    return name if name in DERIVED_KINDS else _known_event(name)


EventKind = Annotated[str, AfterValidator(_known_event)]
MomentKind = Annotated[str, AfterValidator(_known_moment)]
"""Event of a report, or a moment derived from its events."""

NUMBER, MEASURED = "number", "measured"
"""The two forms of a measurement: its value alone, or a mapping."""


class CaseMeasurement(Document):
    """Measured number with good defaults."""

    value: Number
    n: int = Field(default=20, ge=0)
    coverage: Share = 0.9
    quality: Quality = Quality.GOOD
    interval: tuple[Number, Number] | None = None

    @model_validator(mode="after")
    def _interval_is_ordered(self) -> Self:
        if self.interval is not None and self.interval[0] > self.interval[1]:
            raise refused("interval_turned")
        return self


class CaseEvent(Document):
    """Event at a time in the talk."""

    kind: EventKind
    start: Seconds
    end: Seconds
    probability: Share | None = None
    label: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)

    @field_validator("end")
    @classmethod
    def _ends_after_its_start(cls, end: float, info: ValidationInfo) -> float:
        if end < info.data.get("start", end):
            raise refused("ends_early")
        return end


def _way_of_writing(given: Any) -> str:
    return MEASURED if isinstance(given, dict | CaseMeasurement) else NUMBER


Measured = Annotated[
    Annotated[Number, Tag(NUMBER)] | Annotated[CaseMeasurement, Tag(MEASURED)],
    Discriminator(_way_of_writing),
]


class CaseReport(Document):
    """Part of a report that a case is about; everything else has defaults: 180 s of English."""

    duration: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 180
    language: LanguageCode = "en"
    measurements: dict[MetricId, Measured] = Field(default_factory=dict)
    events: tuple[CaseEvent, ...] = ()
    words: tuple[Word, ...] = ()
    skipped: dict[MetricId, Reason] = Field(default_factory=dict)
    audio_only: StrictBool = False


class StoredAsWritten:
    """Annotation for a report checked as a `CaseReport` but stored as written, so that its file
    does not change.
    """

    checked_as = CaseReport

    def __get_pydantic_core_schema__(
        self, _source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            _kept,
            handler.generate_schema(self.checked_as),
            serialization=core_schema.plain_serializer_function_ser_schema(dict),
        )


def _kept(given: Any, check: ValidatorFunctionWrapHandler) -> dict[str, Any]:
    check(given)
    return dict(given)


class Case(Document):
    """Small report with the result expected of the rule."""

    name: Annotated[str, Field(min_length=1)]
    kind: Literal["pass", "fail", "threshold"]
    fires: bool
    needs_coach: bool | None = None
    suggests: str | None = Field(default=None, exclude_if=equals(None))
    """Name of the suggestion to be chosen; `usual` for that of the message."""
    context: Context = Context()
    report: Annotated[dict[str, Any], StoredAsWritten()] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if self.kind != "threshold" and self.fires != (self.kind == "pass"):
            raise refused("case_says_two_things")
        return self
