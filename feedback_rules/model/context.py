"""What the trainee said about a take, and what earlier takes left behind."""

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
"""What a trainee may ask no rule to speak of: a family of metrics, one metric, or what is only
known of people in their first language."""


def _quietable(name: str) -> str:
    if name not in QUIETABLE:
        raise refused("metric_unknown", name=name)
    return name


MetricId = Annotated[str, AfterValidator(_known_metric)]
ProfileFamily = Annotated[str, AfterValidator(_known_family)]


class Baseline(Document):
    """A person's own usual value of one metric, and the takes that it rests on."""

    value: Number
    takes: int = Field(ge=1)


class PreviousItem(Document):
    """An item of the latest take; `takes_shown` counts the takes in a row that showed it."""

    rule: str
    value: Number | None = None
    takes_shown: int = Field(default=1, ge=1)
    tone: Tone = "improvement"


class PreviousOffer(Document):
    """An exercise that was offered lately where nothing stood out, by its rule."""

    rule: str
    takes: int = Field(ge=1)
    """So many takes have offered it."""
    ago: int = Field(ge=1)
    """So many takes ago it was offered last; 1 is the latest take."""


class Context(Document):
    """Every key is optional; a rule that needs a missing one is off and says so."""

    aim: Aim | None = None
    audience: Audience | None = None
    setting: Setting | None = None
    camera_position: CameraPosition | None = None
    language: LanguageCode | None = None
    time_limit: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    goal: Goal | None = None
    slides: bool | None = None
    speaks_as: SpeaksAs | None = Field(default=None, exclude_if=equals(None))
    disabled_families: tuple[ProfileFamily, ...] = ()
    quiet: tuple[Annotated[str, AfterValidator(_quietable)], ...] = Field(
        default=(), exclude_if=equals(())
    )
    """Measured, but no rule may speak of it: the trainee asked for that. Never why."""
    baseline: dict[MetricId, Baseline] = Field(default_factory=dict)
    previous_items: tuple[PreviousItem, ...] = ()
    previous_offers: tuple[PreviousOffer, ...] = Field(default=(), exclude_if=equals(()))

    @property
    def disabled_metric_families(self) -> frozenset[str]:
        """The metric families that the profile switches turn off."""
        return frozenset(
            family for name in self.disabled_families for family in PROFILE_FAMILIES[name]
        )
