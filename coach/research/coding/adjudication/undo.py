"""Undo of a person's last decisions on one text or take, stored in their session."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sessions.backends.base import SessionBase

from coach.rehearsals.models import Rehearsal
from coach.research.coding.models import Round, Text

_KEPT = 50
"""Steps that can be undone (rule of thumb: an hour of work)."""


def _name(coding_round: Round, source: Text | Rehearsal) -> str:
    return f"settling.{coding_round.pk}.{source.pk}"


def remember(
    session: SessionBase, coding_round: Round, source: Text | Rehearsal, keys: Sequence[str]
) -> None:
    """Store a step: the keys of the differences that it settled."""
    name = _name(coding_round, source)
    session[name] = [*session.get(name, []), list(keys)][-_KEPT:]


def forget(session: SessionBase, coding_round: Round, source: Text | Rehearsal, key: str) -> None:
    """Remove a difference that was reopened from the stored steps."""
    name = _name(coding_round, source)
    steps = [[each for each in step if each != key] for step in session.get(name, [])]
    session[name] = [step for step in steps if step]


def last_step(session: SessionBase, coding_round: Round, source: Text | Rehearsal) -> list[str]:
    """Remove the last step and return its keys; empty if there is none."""
    name = _name(coding_round, source)
    steps: list[list[str]] = list(session.get(name, []))
    keys = steps.pop() if steps else []
    session[name] = steps
    return keys


def can_undo(session: SessionBase, coding_round: Round, source: Text | Rehearsal) -> bool:
    """Return whether there is a step to undo."""
    return bool(session.get(_name(coding_round, source)))
