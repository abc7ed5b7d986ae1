"""Context of a take: the trainee's answers, and results of earlier takes."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from analysis.metrics import BY_ID, FAMILIES, PROFILE_FAMILIES
from feedback_rules.model.problems import refused
from feedback_rules.model.values import (
    Aim,
    Audience,
    CameraPosition,
    Document,
    Goal,
    LanguageCode,
    Notes,
    Number,
    Setting,
    SpeaksAs,
    Tone,
    equals,
)


def _known_family(name: str) -> str:
    if name not in PROFILE_FAMILIES:
        raise refused("family_unknown", name=name, known=", ".join(sorted(PROFILE_FAMILIES)))
    return name


def _known_metric(name: str) -> str:
    if name not in BY_ID:
        raise refused("metric_unknown", name=name)
    return name


FIRST_LANGUAGE = "first_language"
QUIETABLE = frozenset({*FAMILIES, *BY_ID, FIRST_LANGUAGE})
"""Topics that a trainee can exclude from cards: a family of metrics, one metric, or norms for
first-language speakers.
"""


def _quietable(name: str) -> str:
    if name not in QUIETABLE:
        raise refused("metric_unknown", name=name)
    return name


MetricId = Annotated[str, AfterValidator(_known_metric)]
ProfileFamily = Annotated[str, AfterValidator(_known_family)]


class Baseline(Document):
    """Person's own usual value of one metric, with the number of takes behind it."""

    value: Number
    takes: int = Field(ge=1)


class PreviousItem(Document):
    """Item of the latest take; `takes_shown` counts the consecutive takes that showed it."""

    rule: str
    value: Number | None = None
    takes_shown: int = Field(default=1, ge=1)
    tone: Tone = "improvement"


class PreviousOffer(Document):
    """Exercise offered recently when nothing stood out, by its rule."""

    rule: str
    takes: int = Field(ge=1)
    """Number of takes that offered it."""
    ago: int = Field(ge=1)
    """Number of takes since its last offer; 1 is the latest take."""


class Context(Document):
    """Optional context values; a rule that needs a missing one is off and says so."""

    aim: Aim | None = None
    audience: Audience | None = None
    setting: Setting | None = None
    camera_position: CameraPosition | None = None
    language: LanguageCode | None = None
    time_limit: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    goal: Goal | None = None
    slides: bool | None = None
    notes: Notes | None = Field(default=None, exclude_if=equals(None))
    """The notes that the recorder showed; None for none, and for a file."""
    speaks_as: SpeaksAs | None = Field(default=None, exclude_if=equals(None))
    disabled_families: tuple[ProfileFamily, ...] = ()
    quiet: tuple[Annotated[str, AfterValidator(_quietable)], ...] = Field(
        default=(), exclude_if=equals(())
    )
    """Topics that are measured but excluded from cards at the trainee's request; the reason is not
    stored.
    """
    baseline: dict[MetricId, Baseline] = Field(default_factory=dict)
    previous_items: tuple[PreviousItem, ...] = ()
    previous_offers: tuple[PreviousOffer, ...] = Field(default=(), exclude_if=equals(()))

    @property
    def disabled_metric_families(self) -> frozenset[str]:
        """Return the metric families disabled by the profile."""
        return frozenset(
            family for name in self.disabled_families for family in PROFILE_FAMILIES[name]
        )
