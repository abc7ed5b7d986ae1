"""The last steps of a coder on one text, in their session: taken back one by one."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from coach.research.coding.annotation.services import bring_back, unmark
from coach.research.coding.models import Assignment, Coding

_KEPT = 50
"""Steps that can be taken back (rule of thumb: an hour of coding)."""


def _name(assignment: Assignment) -> str:
    return f"coding.{assignment.pk}"


def remember(session: SessionBase, assignment: Assignment, step: dict[str, Any]) -> None:
    """Note a step: `{"marked": [guids]}` or `{"unmarked": what brings it back}`."""
    steps = [*session.get(_name(assignment), []), step]
    session[_name(assignment)] = steps[-_KEPT:]


def can_undo(session: SessionBase, assignment: Assignment) -> bool:
    """Whether there is a step to take back."""
    return bool(session.get(_name(assignment)))


def undo(session: SessionBase, assignment: Assignment) -> list[tuple[int, int]]:
    """Take the last step back; returns the stretches that it was on. Raises ValidationError."""
    steps = list(session.get(_name(assignment), []))
    if not steps:
        return []
    step = steps.pop()
    session[_name(assignment)] = steps
    if "unmarked" in step:
        kept = step["unmarked"]
        bring_back(assignment=assignment, kept=kept)
        return [(kept["start"] or 0, kept["end"] or 0)]
    places = []
    for coding in Coding.objects.filter(
        guid__in=step["marked"], round=assignment.round, coder=assignment.coder
    ):
        places.append((coding.start or 0, coding.end or 0))
        unmark(assignment=assignment, coding=coding)
    return places
