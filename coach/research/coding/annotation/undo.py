"""Undo of a coder's last steps on one text, stored in their session."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from coach.research.coding.annotation.free import recode
from coach.research.coding.annotation.services import bring_back, unmark
from coach.research.coding.models import Assignment, Code, Coding
from coach.research.coding.steps import add_step, has_steps, take_step


def _name(assignment: Assignment) -> str:
    return f"coding.{assignment.pk}"


def remember(session: SessionBase, assignment: Assignment, step: dict[str, Any]) -> None:
    """Store a step: `{"marked": [guids]}`, `{"unmarked": data to restore it}` or
    `{"recoded": [guid], "from": key of a code}`.
    """
    add_step(session, _name(assignment), step)


def can_undo(session: SessionBase, assignment: Assignment) -> bool:
    """Return whether there is a step to undo."""
    return has_steps(session, _name(assignment))


def undo(session: SessionBase, assignment: Assignment) -> list[tuple[int, int]]:
    """Undo the last step; return the spans it was on. Raises ValidationError."""
    step = take_step(session, _name(assignment))
    if step is None:
        return []
    if "unmarked" in step:
        kept = step["unmarked"]
        bring_back(assignment=assignment, kept=kept)
        return [(kept["start"] or 0, kept["end"] or 0)]
    places = []
    guids = step["marked"] if "marked" in step else step["recoded"]
    before = Code.objects.filter(pk=step.get("from"), state=Code.State.ACTIVE).first()
    for coding in Coding.objects.filter(
        guid__in=guids, round=assignment.round, coder=assignment.coder
    ):
        places.append((coding.start or 0, coding.end or 0))
        if "marked" in step:
            unmark(assignment=assignment, coding=coding)
        elif before is not None:
            recode(assignment=assignment, coding=coding, code=before)
    return places
