"""Rule document, owned by experts: one document with its words, its source and its cases."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from analysis.events import EVENT_FAMILIES
from analysis.metrics import FAMILIES
from analysis.results import Quality, Reason
from feedback_rules.model.case import Case, EventKind, MomentKind
from feedback_rules.model.context import FIRST_LANGUAGE, MetricId
from feedback_rules.model.moments import DERIVED_FAMILIES
from feedback_rules.model.problems import refused
from feedback_rules.model.values import (
    Aim,
    Audience,
    BehaviourKind,
    CameraPosition,
    DecidedBy,
    Document,
    Goal,
    Grade,
    LanguageCode,
    Modality,
    Number,
    ReadingLanguage,
    Setting,
    Share,
    Status,
    TalkPosition,
    Tone,
    equals,
)


def _known_family(name: str) -> str:
    if name not in FAMILIES:
        raise refused("family_unknown", name=name, known=", ".join(FAMILIES))
    return name


Family = Annotated[str, AfterValidator(_known_family)]
Text = Annotated[str, Field(min_length=1)]
Window = Literal["opening", "closing", "ending"]
"""Window: first 10 s of speech, last 10 s of speech, last fifth of the talk."""
Bound = Literal["value", "low", "high", "low_if_known", "high_if_known"]
"""Number of a measurement to compare: the value, an end of its interval (silent without one), or an
end of its interval if there is one.
"""
RelativeTo = Literal["nothing", "baseline", "time_limit"]


class MetricCondition(Document):
    """Comparison of a measured number with a value or a band; `relative_to` divides it first."""

    metric: MetricId
    op: Literal["above", "at_least", "below", "at_most", "between", "outside"]
    value: Number | None = None
    band: tuple[Number, Number] | None = None
    use: Bound = "value"
    relative_to: RelativeTo = "nothing"

    @model_validator(mode="after")
    def _has_what_its_operator_needs(self) -> Self:
        wants_band = self.op in {"between", "outside"}
        if wants_band and (self.band is None or self.value is not None):
            raise refused("wants_band")
        if not wants_band and (self.value is None or self.band is not None):
            raise refused("wants_value")
        if self.band is not None and self.band[0] > self.band[1]:
            raise refused("band_turned")
        return self


class EventFilter(Document):
    """Filter of events. `or_within` also accepts an event without any of the labels.

    `free_of` drops an event that overlaps one of the other kind, and a silence that begins or ends
    with one; `detail_at_least` requires numbers in its detail.
    """

    event: MomentKind
    labels: tuple[str, ...] = ()
    within: tuple[Window, ...] = ()
    or_within: tuple[Window, ...] = ()
    min_seconds: Annotated[float, Field(ge=0)] = 0
    detail: dict[str, str] = Field(default_factory=dict)
    overlaps: EventKind | None = None
    overlap_labels: tuple[str, ...] = ()
    overlap_share: Share = 0.5
    free_of: EventKind | None = Field(default=None, exclude_if=equals(None))
    detail_at_least: dict[str, Number] = Field(default_factory=dict, exclude_if=equals({}))


class EventCondition(EventFilter):
    """Limits for a count of events, for a rate with `per_minute`, or for a share of another kind
    with `share_of`.
    """

    at_least: Annotated[float, Field(ge=0)] | None = None
    at_most: Annotated[float, Field(ge=0)] | None = None
    per_minute: bool = False
    share_of: MomentKind | None = Field(default=None, exclude_if=equals(None))

    @model_validator(mode="after")
    def _has_a_limit(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise refused("limit_missing")
        return self


class SkippedCondition(Document):
    """Minimum number of metrics skipped for this reason."""

    skipped: Reason
    at_least: int = Field(default=1, ge=1)


def _condition_kind(data: Any) -> str | None:
    keys = data if isinstance(data, dict) else dict.fromkeys(type(data).model_fields, 1)
    kinds = [kind for kind in ("metric", "event", "skipped") if kind in keys]
    return kinds[0] if len(kinds) == 1 else None


Condition = Annotated[
    Annotated[MetricCondition, Tag("metric")]
    | Annotated[EventCondition, Tag("event")]
    | Annotated[SkippedCondition, Tag("skipped")],
    Discriminator(
        _condition_kind,
        custom_error_type="condition_kind",
        custom_error_message="a condition names exactly one of metric, event, skipped",
    ),
]


class When(Document):
    """Conditions: all of `all` and, if given, one of `any`. One level; nothing is evaluated as
    code.

    `co_signals`: one of them must be met, too. Without any met, the rule is silent or waits for a
    coach.
    """

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    co_signals: tuple[Condition, ...] = ()
    without_co_signal: Literal["silent", "coach"] = "coach"
    unless: tuple[Condition, ...] = Field(default=(), exclude_if=equals(()))
    """Conditions that change the meaning: the rule is silent if one is met."""

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        if not self.all and not self.any:
            raise refused("condition_missing")
        return self

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Return every condition, co-signals included."""
        return (*self.all, *self.any, *self.co_signals, *self.unless)


class Gates(Document):
    """Requirements of a measurement before the rule may fire."""

    min_quality: Quality = Quality.FAIR
    min_coverage: Share = 0.5
    """Share of speech time. Pitch and loudness use voiced speech, about half of it, and require
    0.3.
    """
    min_n: int = Field(default=0, ge=0)
    min_seconds: Annotated[float, Field(ge=0)] = 0
    min_word_probability: Share = 0
    min_confidence: Share = 0.3
    silent_if: tuple[Reason, ...] = ()
    needs: tuple[MetricCondition, ...] = ()


class Applies(Document):
    """Situations in which the rule applies. An empty list means all."""

    aims: tuple[Aim, ...] = ()
    audiences: tuple[Audience, ...] = ()
    settings: tuple[Setting, ...] = ()
    languages: tuple[LanguageCode, ...] = ()
    media: tuple[Literal["audio", "video"], ...] = ()
    except_camera_positions: tuple[CameraPosition, ...] = ()
    slides: Literal["any", "without"] = "any"
    notes: Literal["any", "not_scrolling"] = Field(default="any", exclude_if=equals("any"))
    """Notes in the recorder; with a scrolling text, it is known that the speaker read."""
    speakers: Literal["any", "first_language"] = Field(default="any", exclude_if=equals("any"))
    """Speakers; bands from first-language speakers do not apply to others."""


class Severity(Document):
    """Distance beyond the band: 0 at `edge`, 1 at `width` beyond it. Its metric is the item's
    primary one.
    """

    metric: MetricId
    edge: Number
    width: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    direction: Literal["above", "below"]
    relative_to: RelativeTo = "nothing"


class Weights(Document):
    """Curated weights, 0 to 1: relevance in the situation, ease of action, and reliability of the
    detector.
    """

    reliability: Share = 0.9
    actionability: Share = 0.8
    aims: dict[Aim, Share] = Field(default_factory=dict)
    audiences: dict[Audience, Share] = Field(default_factory=dict)
    settings: dict[Setting, Share] = Field(default_factory=dict)


class Evidence(Document):
    """Events to play, the first three in this order, and the scope of the claim.

    `scope` `moments`: no card without an event. `talk`: the claim is about the whole talk, names no
    time, and plays events only if there are some. `fallback` is from older documents; its samples
    are not evidence, so `talk` no longer plays anything.
    """

    events: tuple[EventFilter, ...] = ()
    order: Literal["longest", "probable", "earliest", "spread", "typical"] = "spread"
    fallback: Literal["none", "talk", "opening", "closing", "ending", "limit"] = "none"
    quote: Literal["none", "optional", "required"] = "none"
    scope: Literal["moments", "talk"] = Field(default="moments", exclude_if=equals("moments"))

    @model_validator(mode="after")
    def _can_be_shown(self) -> Self:
        if not self.events and self.fallback == "none" and not self.is_about_talk:
            raise refused("evidence_missing")
        return self

    @property
    def is_about_talk(self) -> bool:
        """Return whether a card needs no moment, since it is about the talk as a whole."""
        return self.scope == "talk" or self.fallback == "talk"


class Behaviour(Document):
    """Behaviour that a strength praises or a suggestion advises, and its position in the talk.

    For a suggestion, `moments` means the moments that the card plays because it is missing there.
    """

    kind: BehaviourKind
    where: Annotated[tuple[TalkPosition, ...], Field(min_length=1)] = ("talk",)


class Suggestion(Document):
    """Suggestion for reports that meet all of `when`; the first that fits is used."""

    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    when: Annotated[tuple[Condition, ...], Field(min_length=1)]
    behaviour: Behaviour
    en: Text
    fr: Text

    def text_in(self, language: ReadingLanguage) -> str:
        """Return the text in this language."""
        return self.en if language == "en" else self.fr


class RuleExercise(Document):
    """Exercise for a few minutes."""

    title: Text
    text: Text
    minutes: Annotated[int, Field(ge=1, le=5)] = 3


class Message(Document):
    """Texts of a card in one language; docs/reference/writing-rules.md lists the placeholders."""

    label: Text
    claim: Text
    claim_near: str = Field(default="", exclude_if=equals(""))
    """Claim for a focus that is only just past its threshold, where `claim` says "often"."""
    figure: Text
    unit: Text
    why: Text
    why_for: dict[Aim, str] = Field(default_factory=dict)
    suggestion: Text
    certainty: Text
    comparison: Text
    counterfactual: Text
    exercise: RuleExercise
    source: str = Field(default="", exclude_if=equals(""))
    """Source in this language, if the rule's own source is in another."""


class Messages(Document):
    """Messages in both languages."""

    en: Message
    fr: Message


class _CachingDocument(Document):
    """Document with cached properties, which a changed copy recalculates."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        copied = super().model_copy(update=update, deep=deep)
        for name in [n for n in copied.__dict__ if n not in type(self).model_fields]:
            del copied.__dict__[name]
        return copied


class Rule(_CachingDocument):
    """Coaching rule with provenance, status, known false positives and cases."""

    id: Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{3}$")]
    version: int = Field(ge=1)
    title: Text
    status: Status
    quality: Goal
    tone: Tone
    family: Family
    modality: Modality
    decided_by: DecidedBy
    grade: Grade
    when: When
    severity: Severity
    evidence: Evidence
    gates: Gates = Gates()
    applies: Applies = Applies()
    weights: Weights = Weights()
    replaces: tuple[str, ...] = ()
    replaces_at: tuple[str, ...] = Field(default=(), exclude_if=equals(()))
    """Rules merged like `replaces`, but only if both play the same moment."""
    never_with: tuple[str, ...] = Field(default=(), exclude_if=equals(()))
    """Rules that contradict this one: it is never shown if one of them fired."""
    behaviour: Behaviour | None = Field(default=None, exclude_if=equals(None))
    """Behaviour that a strength praises, or that an improvement's `message.suggestion` advises."""
    suggestions: tuple[Suggestion, ...] = Field(default=(), exclude_if=equals(()))
    """Suggestions tried in this order before `message.suggestion`, which fits every report."""
    cites_study: bool = Field(default=False, exclude_if=equals(other=False))
    """Whether the figures in its comparison are from a study and remain when the threshold changes.
    """
    offered: bool = Field(default=False, exclude_if=equals(other=False))
    """Whether its exercise may be offered when nothing stood out."""
    value_format: Literal[
        "rate", "percent", "fine_percent", "faster", "whole", "clock", "times_limit"
    ]
    message: Messages
    source: Text
    rationale: Text
    references: tuple[Text, ...] = Field(min_length=1)
    false_positives: tuple[Text, ...] = Field(min_length=1)
    author: Text
    cases: tuple[Case, ...] = ()

    def source_in(self, language: ReadingLanguage) -> str:
        """Return the source as named on a card in this language."""
        message = self.message.en if language == "en" else self.message.fr
        return message.source or self.source

    @cached_property
    def required_metrics(self) -> tuple[str, ...]:
        """Return the metrics the rule requires, the primary metric first."""
        metrics = [c.metric for c in self.when.all if isinstance(c, MetricCondition)]
        return tuple(dict.fromkeys((self.severity.metric, *metrics)))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Return every metric used by the rule."""
        conditions = (*self.when.conditions, *self.gates.needs)
        named = [c.metric for c in conditions if isinstance(c, MetricCondition)]
        return tuple(dict.fromkeys((self.severity.metric, *named)))

    @cached_property
    def least_moments(self) -> tuple[float, float]:
        """Return the required number of its first kind of moments, and their shortest length in
        seconds.
        """
        first = next((c for c in self.when.all if isinstance(c, EventCondition)), None)
        return (first.at_least or 0, first.min_seconds) if first else (0, 0)

    @cached_property
    def references_needed(self) -> tuple[tuple[RelativeTo, str], ...]:
        """Return the references of the required metrics, if they are not compared with a fixed
        number.
        """
        conditions = [c for c in self.when.all if isinstance(c, MetricCondition)]
        lead = (self.severity.relative_to, self.severity.metric)
        pairs = [lead, *((c.relative_to, c.metric) for c in conditions)]
        return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != "nothing"))

    @cached_property
    def families(self) -> frozenset[str]:
        """Return every metric family used by the rule, through numbers or events."""
        named_events = [c for c in self.when.conditions if isinstance(c, EventFilter)]
        filters: list[EventFilter] = [*named_events, *self.evidence.events]
        kinds = {f.event for f in filters} | {f.overlaps for f in filters if f.overlaps}
        named = {metric.split(".", 1)[0] for metric in self.metrics}
        known = EVENT_FAMILIES | DERIVED_FAMILIES
        seen = {known[kind] for kind in kinds if kind in known}
        return frozenset({self.family} | named | seen)

    @cached_property
    def about(self) -> frozenset[str]:
        """Return the topics of the rule for exclusion by trainees: family, required metrics and
        their families.

        Includes the first language if the rule applies only to first-language speakers.
        """
        named = {metric.split(".", 1)[0] for metric in self.required_metrics}
        first = {FIRST_LANGUAGE} if self.applies.speakers == FIRST_LANGUAGE else set()
        return frozenset({self.family, *named, *self.required_metrics, *first})

    def canonical(self) -> str:
        """Return the whole document as one line of JSON with sorted keys and explicit defaults."""
        return json.dumps(
            self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )


class RuleSet(_CachingDocument):
    """Numbered, immutable release of rules."""

    number: int = Field(ge=1)
    rules: tuple[Rule, ...]

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 over the canonical form of every rule, ordered by id."""
        lines = "\n".join(rule.canonical() for rule in sorted(self.rules, key=lambda r: r.id))
        return hashlib.sha256(lines.encode()).hexdigest()
