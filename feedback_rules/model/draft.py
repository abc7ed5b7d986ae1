"""Results of the rules for a report: findings, items, held-back items, and the whole draft."""

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
"""Details of `missing_context`: too few takes for a baseline, or a baseline of zero."""
ONLY_THE_VALUE = ", its value is"
"""Ending of the detail of `in_band` if the value is past the threshold but its interval is not."""
_ASKED_FOR = re.compile(r" of (\d+) s$")


class Outcome(StrEnum):
    """Result of a rule. A closed list: `explain` has words for each."""

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


class HeldBackReason(StrEnum):
    """Reason why a rule that fired is not among the items."""

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
    """Time in the recording at which something was seen or heard."""

    kind: str
    start: float
    end: float
    label: str = ""


class Clip(Document):
    """Playable part of the recording, in seconds.

    `at` is the moment it is about: playback starts slightly earlier.
    """

    start: float
    end: float
    at: float | None = None


class Quote(Document):
    """Words of the transcript, verbatim, with their time."""

    text: str
    start: float
    end: float


class CardExercise(Document):
    """Exercise of at most five minutes."""

    title: str
    text: str
    minutes: int


class Factors(Document):
    """Factors of the score, each 0 to 1; the score is their product."""

    severity: float
    confidence: float
    goal: float
    context: float
    actionability: float
    novelty: float
    evidence: float = Field(default=1.0, exclude_if=equals(1))
    """Reduced if the card is about the whole talk and has no moment to play."""
    score: float


class Finding(Document):
    """Result of one rule for one report: it fired, or the first reason why not."""

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
        """Return whether the rule fired."""
        return self.outcome is Outcome.FIRED

    @property
    def is_too_uncertain(self) -> bool:
        """Return whether the rule is silent only because the measured interval is wide."""
        return self.outcome is Outcome.IN_BAND and self.detail.endswith(ONLY_THE_VALUE)

    @property
    def seconds_needed(self) -> int | None:
        """Return the required length of the talk if this one is `too_short` ("98 s of 150 s"),
        otherwise None.
        """
        asked = _ASKED_FOR.search(self.detail) if self.outcome is Outcome.TOO_SHORT else None
        return int(asked[1]) if asked else None


class DraftItem(Document):
    """Complete evidence card."""

    rule: str
    rule_version: int
    title: str
    label: str
    quality: Goal
    tone: Tone
    family: str
    modality: Modality
    rank: int | None = None
    """Rank: 0 for the strength, 1 for the first thing to work on, 2 for the next."""
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
    exercise: CardExercise | None
    certainty: str
    text: str
    """Front of the card: everything that is read before details are opened."""
    counterfactual: str
    clips: tuple[Clip, ...] = Field(max_length=3)
    scope: Literal["moments", "talk"] = Field(default="moments", exclude_if=equals("moments"))
    """Scope; `talk` means measured over the whole talk, with clips, if any, as examples."""
    is_progress: bool = Field(default=False, exclude_if=equals(other=False))
    """Whether it is compared with the person's own earlier takes."""
    quotes: tuple[Quote, ...] = ()
    evidence_events: tuple[str, ...]
    metric: str = ""
    """Primary metric, whose value, unit and interval follow."""
    value: float
    unit: str
    interval: tuple[float, float] | None
    stands: str = Field(default="", exclude_if=equals(""))
    line: str = Field(default="", exclude_if=equals(""))
    """Value and exceeded threshold in words; empty in older documents."""
    inputs: dict[str, Measurement]
    factors: Factors
    references: tuple[str, ...]
    author: str
    merged: tuple[str, ...] = ()
    held_focus: bool = False
    previous_value: float | None = Field(default=None, exclude=True)
    """Value of the previous take; never stored, since it is deleted with that take."""


class HeldBack(Document):
    """Rule that fired and is not shown, with its whole card so that a coach can use it."""

    rule: str
    rule_version: int
    why: HeldBackReason
    outranked_by: str | None = None
    needs_coach: bool
    item: DraftItem


class WorthTrying(Document):
    """Exercise offered when nothing stood out; not a finding."""

    rule: str
    rule_version: int
    language: ReadingLanguage
    lead: str
    exercise: CardExercise


class ReachedFocus(Document):
    """Improvement of the last take that is no longer needed in this one."""

    rule: str
    rule_version: int
    language: ReadingLanguage
    text: str
    change: str = ""
    """Change from then to now; empty if the two cannot be compared."""


class RuleSetRef(Document):
    """Reference to the release of rules that decided."""

    number: int
    digest: str


class Draft(Document):
    """Draft: at most three items, in display order, and everything else with its reason."""

    rule_set: RuleSetRef
    items: tuple[DraftItem, ...] = Field(default=(), max_length=3)
    worth_trying: WorthTrying | None = Field(default=None, exclude_if=equals(None))
    reached: tuple[ReachedFocus, ...] = Field(default=(), exclude_if=equals(()))
    held_back: tuple[HeldBack, ...] = ()
    findings: tuple[Finding, ...] = ()

    def as_document(self) -> dict[str, Any]:
        """Return the draft as plain JSON values."""
        return self.model_dump(mode="json")

    def as_json(self) -> str:
        """Return the canonical text: sorted keys, no times of day; a replay
        gives the same bytes.
        """
        return json.dumps(self.as_document(), sort_keys=True, ensure_ascii=False, indent=2)
