"""Last steps of a person on one piece of work, stored in their session for undo."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

_KEPT = 50
"""Steps that can be undone (rule of thumb: an hour of work)."""


def add_step(session: SessionBase, work: str, step: Any) -> None:
    """Store a step."""
    session[work] = [*session.get(work, []), step][-_KEPT:]


def take_step(session: SessionBase, work: str) -> Any:
    """Remove the last step and return it; None if there is none."""
    steps = list(session.get(work, []))
    if not steps:
        return None
    step = steps.pop()
    session[work] = steps
    return step


def has_steps(session: SessionBase, work: str) -> bool:
    """Return whether there is a step to undo."""
    return bool(session.get(work))
