"""The context of a talk: purpose, audience, setting, language and time limit."""

from __future__ import annotations

from dataclasses import dataclass, fields

from coach.rehearsals.models import Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkContext:
    """The context of a talk, as given by the trainee before the analysis."""

    title: str
    aim: str
    audience: str
    setting: str
    language: str
    camera_position: str = "level"
    looks_into_lens_first: bool = False
    shows_slides: bool = False
    notes: str = ""
    speaks_as: str = ""
    time_limit: float | None = None
    goal: str = ""


CONTEXT_NAMES = tuple(each.name for each in fields(TalkContext))


def context_of_take(take: Rehearsal) -> TalkContext:
    """Return the context that the owner gave for a take."""
    return TalkContext(**{name: getattr(take, name) for name in CONTEXT_NAMES})
