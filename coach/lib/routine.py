"""Keeps out of the logs what happens every few seconds and says nothing."""

from __future__ import annotations

import logging

ROUTINE = frozenset(
    {
        "coach.curation.tasks.sweep",
        "coach.feedback.tasks.sweep",
        "coach.notices.tasks.mail",
        "coach.rehearsals.tasks.sweep_removals",
        "coach.research.tasks.sweep",
        "coach.review.tasks.sweep",
    }
)


class NotRoutine(logging.Filter):
    """Drops the lines that a sweep was sent, arrived and went well; what it finds is still told."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is worth a place."""
        return record.levelno > logging.INFO or not ROUTINE.intersection(_named(record))


def _named(record: logging.LogRecord) -> set[str]:
    """The tasks that a line of Celery is about: its workers name them in one way, its clock in
    another."""
    data = getattr(record, "data", None)
    name = data.get("name") if isinstance(data, dict) else None
    given = record.args if isinstance(record.args, tuple) else ()
    return {each for each in (name, *given) if isinstance(each, str)}
