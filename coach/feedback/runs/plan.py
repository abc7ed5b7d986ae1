"""Stages of a run: their dependencies, queues, and titles for people who wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from analysis.stage_roles import BY_NAME as ROLES
from analysis.stage_roles import NEEDS, OPENING, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraStage:
    """Role and dependencies of a stage that is not part of the analysis."""

    role: Role | Literal["beside"]
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """One stage. `usual_ratio`: seconds per second of media on a slow core, for its time limit.

    Roles in the analysis are in `analysis.stage_roles`; stages added by the site name theirs here.
    """

    name: str
    added: ExtraStage | None = None
    queue: str
    title: str | Promise
    doing: str | Promise
    usual_ratio: float

    @property
    def needs(self) -> tuple[str, ...]:
        """Return the stages that must finish before this one."""
        return self.added.needs if self.added else NEEDS[self.name]

    @property
    def role(self) -> Role | Literal["beside"]:
        """Return the effect of a failure on the run; `beside`: none, since no other stage
        waits for it.
        """
        return self.added.role if self.added else ROLES[self.name].role

    @property
    def is_shown(self) -> bool:
        """Return whether the stage is shown to people who wait."""
        return self.role != "beside"


PLAN: tuple[StagePlan, ...] = (
    StagePlan(
        name="prepare",
        queue="media",
        title=_("Opening your recording"),
        doing=_("Checking the file and finding where you speak"),
        usual_ratio=0.02,
    ),
    StagePlan(
        name="transcribe",
        queue="speech",
        title=_("Writing down your words"),
        doing=_("Each word with its time, ums included"),
        usual_ratio=0.15,
    ),
    StagePlan(
        name="listen",
        queue="media",
        title=_("Listening to your voice"),
        doing=_("Pitch variation, loudness and pauses"),
        usual_ratio=0.04,
    ),
    StagePlan(
        name="watch",
        queue="vision",
        title=_("Watching"),
        doing=_("Where you face, how you stand, your hands"),
        usual_ratio=0.12,
    ),
    StagePlan(
        name="assemble",
        queue="default",
        title=_("Putting it together"),
        doing=_("Every measure, and how sure we are of it"),
        usual_ratio=0.01,
    ),
    StagePlan(
        name="draft",
        added=ExtraStage(role="concludes", needs=("assemble",)),
        queue="default",
        title=_("Choosing what matters"),
        doing=_("Up to three cards, each with its evidence"),
        usual_ratio=0.002,
    ),
    # Off the critical path: the report does not wait for the playback copy.
    StagePlan(
        name="playback",
        added=ExtraStage(role="beside", needs=OPENING),
        queue="media",
        title=_("Making a copy that plays everywhere"),
        doing=_("Only needed for some file types"),
        usual_ratio=0.1,
    ),
)

BY_NAME: dict[str, StagePlan] = {stage.name: stage for stage in PLAN}

_LEAST_LIMIT_SECONDS = 300.0
"""Shortest time limit of a stage, for any recording: a model may have to be loaded on a machine
that swaps (rule of thumb)."""


def time_limit(name: str, duration: float | None) -> float:
    """Return the seconds after which a stage counts as hanging; an unknown length is taken
    as the maximum.
    """
    seconds = duration or settings.MAX_MINUTES * 60.0
    return _LEAST_LIMIT_SECONDS + settings.STAGE_PATIENCE * BY_NAME[name].usual_ratio * seconds


def longest_limit() -> float:
    """Return the seconds within which any stage of any recording has ended."""
    return max(time_limit(plan.name, None) for plan in PLAN)
