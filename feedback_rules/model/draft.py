"""What rules make of a report: findings, items, what was held back, and the draft of them all."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from analysis.results import Measurement, Reason
from feedback_rules.model.values import (
    DecidedBy,
    Document,
    Goal,
    Grade,
    Modality,
    ReadingLanguage,
    Tone,
    equals,
)

OWN_TAKES, USUALLY_NONE = "baseline", "baseline of zero"
"""Details of `missing_context`: too few takes to know what is usual, or nothing of it is."""
ONLY_THE_VALUE = ", its value is"
"""How the detail of `in_band` ends where the value is past the line and its range is not."""
_ASKED_FOR = re.compile(r" of (\d+) s$")


class Outcome(StrEnum):
    """What became of a rule. A closed list: `explain` has words for each."""

    FIRED = "fired"
    NOT_ACTIVE = "not_active"
    DISABLED_BY_PROFILE = "disabled_by_profile"
    QUIET_BY_PROFILE = "quiet_by_profile"
    MISSING_CONTEXT = "missing_context"
    OTHER_CONTEXT = "other_context"
    OTHER_LANGUAGE = "other_language"
    NO_MEDIA = "no_media"
    UNRELIABLE_HERE = "unreliable_here"
    NOT_MEASURED = "not_measured"
    LOW_QUALITY = "low_quality"
    LOW_COVERAGE = "low_coverage"
    FEW_OBSERVATIONS = "few_observations"
    TOO_SHORT = "too_short"
    UNSURE_WORDS = "unsure_words"
    SIGNAL_GATE = "signal_gate"
    NO_INTERVAL = "no_interval"
    IN_BAND = "in_band"
    MEANS_OTHERWISE = "means_otherwise"
    NO_CO_SIGNAL = "no_co_signal"
    NO_EVIDENCE = "no_evidence"
    LOW_CONFIDENCE = "low_confidence"
    MERGED = "merged"
    QUOTE_MISMATCH = "quote_mismatch"
    OUTSIDE_MEDIA = "outside_media"


class WhyHeld(StrEnum):
    """Why a rule that fired is not among the items."""

    WAITS_FOR_COACH = "waits_for_coach"
    SAME_QUALITY = "same_quality"
    SAME_MODALITY = "same_modality"
    OUTRANKED = "outranked"
    NO_STRENGTH = "no_strength"
    SLIGHT = "slight"
    ABOUT_RECORDING = "about_recording"
    CONTRADICTS = "contradicts"
    ONE_STRENGTH = "one_strength"
    VARIETY = "variety"


class Moment(Document):
    """Where in the recording something was seen or heard."""

    kind: str
    start: float
    end: float
    label: str = ""


class Clip(Document):
    """A playable part of the recording, in seconds of the media.

    `at` is the moment that it is about: playback starts a little before it.
    """

    start: float
    end: float
    at: float | None = None


class Quote(Document):
    """Words of the transcript, as they stand there, with their time."""

    text: str
    start: float
    end: float


class Exercise(Document):
    """One thing to practise, five minutes at most."""

    title: str
    text: str
    minutes: int


class Factors(Document):
    """What the score is the product of; each is 0 to 1."""

    severity: float
    confidence: float
    goal: float
    context: float
    actionability: float
    novelty: float
    evidence: float = Field(default=1.0, exclude_if=equals(1))
    """Less where the card tells of the whole talk and has no moment to play."""
    score: float


class Finding(Document):
    """One rule against one report: it fired, or the first reason why not."""

    rule: str
    rule_version: int
    tone: Tone
    quality: Goal
    family: str
    outcome: Outcome
    detail: str = ""
    reason: Reason | None = None
    metric: str | None = None
    needs_coach: bool = False
    held_focus: bool = False
    merged: tuple[str, ...] = ()
    value: float | None = None
    severity: float | None = None
    confidence: float | None = None
    count: int = 0
    moments: tuple[Moment, ...] = ()

    @property
    def fired(self) -> bool:
        """Whether the rule has something to say."""
        return self.outcome is Outcome.FIRED

    @property
    def is_too_uncertain(self) -> bool:
        """Whether the rule is silent only because the range of what was measured is wide."""
        return self.outcome is Outcome.IN_BAND and self.detail.endswith(ONLY_THE_VALUE)

    @property
    def seconds_needed(self) -> int | None:
        """How long a talk the rule asks for, where this one is `too_short`: "98 s of 150 s"."""
        asked = _ASKED_FOR.search(self.detail) if self.outcome is Outcome.TOO_SHORT else None
        return int(asked[1]) if asked else None


class DraftItem(Document):
    """One evidence card, complete."""

    rule: str
    rule_version: int
    title: str
    label: str
    quality: Goal
    tone: Tone
    family: str
    modality: Modality
    rank: int | None = None
    """0 for the strength, 1 for what to work on first, 2 for what comes next."""
    grade: Grade
    decided_by: DecidedBy
    needs_coach: bool
    language: ReadingLanguage
    claim: str
    figure: str
    comparison: str
    comparison_source: str
    why: str
    suggestion: str
    exercise: Exercise | None
    certainty: str
    text: str
    """The face of the card: all that is read before anything is unfolded."""
    counterfactual: str
    clips: tuple[Clip, ...] = Field(max_length=3)
    scope: Literal["moments", "talk"] = Field(default="moments", exclude_if=equals("moments"))
    """`talk`: measured over the whole talk; clips, where there are some, are examples."""
    is_progress: bool = Field(default=False, exclude_if=equals(other=False))
    """Compared with the person's own earlier takes."""
    quotes: tuple[Quote, ...] = ()
    evidence_events: tuple[str, ...]
    metric: str = ""
    """The leading metric, whose value, unit and interval follow."""
    value: float
    unit: str
    interval: tuple[float, float] | None
    stands: str = Field(default="", exclude_if=equals(""))
    line: str = Field(default="", exclude_if=equals(""))
    """In words: the value, and the line that it is past; empty in older documents."""
    inputs: dict[str, Measurement]
    factors: Factors
    references: tuple[str, ...]
    author: str
    merged: tuple[str, ...] = ()
    held_focus: bool = False
    previous_value: float | None = Field(default=None, exclude=True)
    """Of the take before, and never written down: it goes with that take when it is deleted."""


class HeldBack(Document):
    """A rule that fired and is not shown, with its whole card so that a coach can take it."""

    rule: str
    rule_version: int
    why: WhyHeld
    outranked_by: str | None = None
    needs_coach: bool
    item: DraftItem


class WorthTrying(Document):
    """Something to practise where nothing stood out: an offer, no finding."""

    rule: str
    rule_version: int
    language: ReadingLanguage
    lead: str
    exercise: Exercise


class Reached(Document):
    """What the last take had to work on, where this one has nothing of it to raise."""

    rule: str
    rule_version: int
    language: ReadingLanguage
    text: str
    change: str = ""
    """What it was and what it is; empty where the two cannot be compared."""


class RuleSetRef(Document):
    """Which release decided."""

    number: int
    digest: str


class Draft(Document):
    """At most three items, in the order of showing, and everything else with its reason."""

    rule_set: RuleSetRef
    items: tuple[DraftItem, ...] = Field(default=(), max_length=3)
    worth_trying: WorthTrying | None = Field(default=None, exclude_if=equals(None))
    reached: tuple[Reached, ...] = Field(default=(), exclude_if=equals(()))
    held_back: tuple[HeldBack, ...] = ()
    findings: tuple[Finding, ...] = ()

    def as_document(self) -> dict[str, Any]:
        """Plain JSON values."""
        return self.model_dump(mode="json")

    def as_json(self) -> str:
        """One canonical text: sorted keys, no times of day; a replay gives the same bytes."""
        return json.dumps(self.as_document(), sort_keys=True, ensure_ascii=False, indent=2)
