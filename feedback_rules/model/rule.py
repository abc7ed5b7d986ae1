"""A rule as experts own it: one document with its words, its source and its proof."""

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
    Place,
    ReadingLanguage,
    Setting,
    Share,
    Status,
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
"""First 10 s of speech, last 10 s of speech, last fifth of the talk."""
Bound = Literal["value", "low", "high", "low_if_known", "high_if_known"]
"""Which number of a measurement is compared: the value, an end of its interval (silent where
there is none), or an end of its interval where there is one."""
RelativeTo = Literal["nothing", "baseline", "time_limit"]


class MetricCondition(Document):
    """A measured number against a value or a band; `relative_to` divides it first."""

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
    """Which events count. `or_within` lets an event in that has none of the labels.

    `free_of` drops an event under which one of the other kind lies, and a silence that begins or
    ends with one; `detail_at_least` asks for numbers in its detail.
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
    """A count of events (a rate with `per_minute`, a share of all of another kind with
    `share_of`) against a lowest and a highest number."""

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
    """So many metrics could not be measured for this reason."""

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
    """All of `all`, one of `any` where given. One level; nothing is evaluated as code.

    `co_signals`: one of them must hold too. Without any, a rule stays silent or waits for a coach.
    """

    all: tuple[Condition, ...] = ()
    any: tuple[Condition, ...] = ()
    co_signals: tuple[Condition, ...] = ()
    without_co_signal: Literal["silent", "coach"] = "coach"
    unless: tuple[Condition, ...] = Field(default=(), exclude_if=equals(()))
    """Silent where one of these holds: what was seen then means something else."""

    @model_validator(mode="after")
    def _is_not_empty(self) -> Self:
        if not self.all and not self.any:
            raise refused("condition_missing")
        return self

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Every condition, co-signals included."""
        return (*self.all, *self.any, *self.co_signals, *self.unless)


class Gates(Document):
    """What a measurement must be like before the rule may speak at all."""

    min_quality: Quality = Quality.FAIR
    min_coverage: Share = 0.5
    """Of speech time. Pitch and loudness rest on voiced speech, about half of it: they ask 0.3."""
    min_n: int = Field(default=0, ge=0)
    min_seconds: Annotated[float, Field(ge=0)] = 0
    min_word_probability: Share = 0
    min_confidence: Share = 0.3
    silent_if: tuple[Reason, ...] = ()
    needs: tuple[MetricCondition, ...] = ()


class Applies(Document):
    """Where the rule makes sense. An empty list means everywhere."""

    aims: tuple[Aim, ...] = ()
    audiences: tuple[Audience, ...] = ()
    settings: tuple[Setting, ...] = ()
    languages: tuple[LanguageCode, ...] = ()
    media: tuple[Literal["audio", "video"], ...] = ()
    except_camera_positions: tuple[CameraPosition, ...] = ()
    slides: Literal["any", "without"] = "any"
    speakers: Literal["any", "first_language"] = Field(default="any", exclude_if=equals("any"))
    """Bands that come from people in their first language say nothing about those in another."""


class Severity(Document):
    """How far out of band: 0 at `edge`, 1 at `width` beyond it. Its metric leads the item."""

    metric: MetricId
    edge: Number
    width: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    direction: Literal["above", "below"]
    relative_to: RelativeTo = "nothing"


class Weights(Document):
    """How much the rule matters here, how easy it is to act on, and how far its detector is to
    be trusted; curated, all 0 to 1."""

    reliability: Share = 0.9
    actionability: Share = 0.8
    aims: dict[Aim, Share] = Field(default_factory=dict)
    audiences: dict[Audience, Share] = Field(default_factory=dict)
    settings: dict[Setting, Share] = Field(default_factory=dict)


class Evidence(Document):
    """Which events are played, the first three in this order, and what the claim is about.

    `scope` `moments`: no card without an event. `talk`: the claim is about the whole talk, names
    no time, and plays events only where there are some. `fallback` is from older documents; what
    it samples is no evidence, so `talk` plays nothing any more.
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
        """Whether a card needs no moment, since it tells of the talk as a whole."""
        return self.scope == "talk" or self.fallback == "talk"


class Behaviour(Document):
    """What a strength praises, or a suggestion advises, and where.

    Of a suggestion `moments` means: at the moments that the card plays because it is missing there.
    """

    kind: BehaviourKind
    where: Annotated[tuple[Place, ...], Field(min_length=1)] = ("talk",)


class Suggestion(Document):
    """A suggestion for reports in which all of `when` holds; the first that fits is taken."""

    name: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    when: Annotated[tuple[Condition, ...], Field(min_length=1)]
    behaviour: Behaviour
    en: Text
    fr: Text

    def text_in(self, language: ReadingLanguage) -> str:
        """Its words."""
        return self.en if language == "en" else self.fr


class ExerciseText(Document):
    """Something to practise for a few minutes."""

    title: Text
    text: Text
    minutes: Annotated[int, Field(ge=1, le=5)] = 3


class Message(Document):
    """Words of a card in one language; docs/reference/writing-rules.md lists the placeholders."""

    label: Text
    claim: Text
    claim_near: str = Field(default="", exclude_if=equals(""))
    """Said instead of a focus that is only just past its line, where the claim says "often"."""
    figure: Text
    unit: Text
    why: Text
    why_for: dict[Aim, str] = Field(default_factory=dict)
    suggestion: Text
    certainty: Text
    comparison: Text
    counterfactual: Text
    exercise: ExerciseText
    source: str = Field(default="", exclude_if=equals(""))
    """The rule's source for readers of this language, where the rule's own line is in another."""


class Messages(Document):
    """Every rule speaks both languages."""

    en: Message
    fr: Message


class _Remembering(Document):
    """A document that works things out once; a changed copy works them out anew."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        copied = super().model_copy(update=update, deep=deep)
        for name in [n for n in copied.__dict__ if n not in type(self).model_fields]:
            del copied.__dict__[name]
        return copied


class Rule(_Remembering):
    """One coaching rule with provenance, status, known false positives and cases."""

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
    """Taken in like `replaces`, but only where both play the same moment."""
    never_with: tuple[str, ...] = Field(default=(), exclude_if=equals(()))
    """Never shown where one of these has something to say: together they contradict each other."""
    behaviour: Behaviour | None = Field(default=None, exclude_if=equals(None))
    """What a strength praises, or what `message.suggestion` of an improvement advises."""
    suggestions: tuple[Suggestion, ...] = Field(default=(), exclude_if=equals(()))
    """Tried in this order before `message.suggestion`, which fits every report."""
    cites_study: bool = Field(default=False, exclude_if=equals(other=False))
    """The figures in its comparison are a study's and stay when the threshold moves."""
    offered: bool = Field(default=False, exclude_if=equals(other=False))
    """Its exercise may be offered as one thing worth trying where nothing stood out."""
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
        """The source as a card in this language names it."""
        message = self.message.en if language == "en" else self.message.fr
        return message.source or self.source

    @cached_property
    def required_metrics(self) -> tuple[str, ...]:
        """The metrics without which the rule says nothing, the leading one first."""
        metrics = [c.metric for c in self.when.all if isinstance(c, MetricCondition)]
        return tuple(dict.fromkeys((self.severity.metric, *metrics)))

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Every metric that the rule looks at."""
        conditions = (*self.when.conditions, *self.gates.needs)
        named = [c.metric for c in conditions if isinstance(c, MetricCondition)]
        return tuple(dict.fromkeys((self.severity.metric, *named)))

    @cached_property
    def least_moments(self) -> tuple[float, float]:
        """How many of its first kind of moments the rule needs, and how long each must be."""
        first = next((c for c in self.when.all if isinstance(c, EventCondition)), None)
        return (first.at_least or 0, first.min_seconds) if first else (0, 0)

    @cached_property
    def references_needed(self) -> tuple[tuple[RelativeTo, str], ...]:
        """What the required metrics are compared with, where that is not a fixed number."""
        conditions = [c for c in self.when.all if isinstance(c, MetricCondition)]
        lead = (self.severity.relative_to, self.severity.metric)
        pairs = [lead, *((c.relative_to, c.metric) for c in conditions)]
        return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != "nothing"))

    @cached_property
    def families(self) -> frozenset[str]:
        """Every metric family that the rule looks at, through numbers or events."""
        named_events = [c for c in self.when.conditions if isinstance(c, EventFilter)]
        filters: list[EventFilter] = [*named_events, *self.evidence.events]
        kinds = {f.event for f in filters} | {f.overlaps for f in filters if f.overlaps}
        named = {metric.split(".", 1)[0] for metric in self.metrics}
        known = EVENT_FAMILIES | DERIVED_FAMILIES
        seen = {known[kind] for kind in kinds if kind in known}
        return frozenset({self.family} | named | seen)

    @cached_property
    def about(self) -> frozenset[str]:
        """What it cannot speak of without: its family, the metrics that it must have and their
        families, and the first language where it only knows people in theirs."""
        named = {metric.split(".", 1)[0] for metric in self.required_metrics}
        first = {FIRST_LANGUAGE} if self.applies.speakers == FIRST_LANGUAGE else set()
        return frozenset({self.family, *named, *self.required_metrics, *first})

    def canonical(self) -> str:
        """The whole document as one line of JSON with sorted keys, defaults written out."""
        return json.dumps(
            self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )


class RuleSet(_Remembering):
    """A numbered, immutable release of rules."""

    number: int = Field(ge=1)
    rules: tuple[Rule, ...]

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the canonical form of every rule, in the order of their ids."""
        lines = "\n".join(rule.canonical() for rule in sorted(self.rules, key=lambda r: r.id))
        return hashlib.sha256(lines.encode()).hexdigest()
