"""Keeps out of the logs what happens every few seconds and says nothing."""

from __future__ import annotations

import logging
import time

ROUTINE = frozenset(
    {
        "coach.curation.tasks.sweep",
        "coach.feedback.tasks.sweep",
        "coach.notices.tasks.mail",
        "coach.rehearsals.tasks.sweep_removals",
        "coach.research.tasks.sweep",
        "coach.review.tasks.sweep",
        "coach.uploads.tasks.sweep",
    }
)


class NotRoutine(logging.Filter):
    """Drops the lines that a sweep was sent, arrived and went well; what it finds is still told."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is worth a place."""
        return record.levelno > logging.INFO or not ROUTINE.intersection(_named(record))


class OnceWhileAway(logging.Filter):
    """Has the clock say once a minute, in a line, that the broker is away: it says so with a
    traceback for each sweep, some forty thousand lines in ten minutes, which pushes all else out.
    """

    EVERY_SECONDS = 60.0

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._said_at = -self.EVERY_SECONDS

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is time to say so again; whatever else there is to say, is said."""
        failure = record.exc_info[1] if record.exc_info else None
        # By its name: every process reads this, and only the clock has loaded celery.beat.
        if type(failure).__name__ != "SchedulingError":
            return True
        now = time.monotonic()
        if now - self._said_at < self.EVERY_SECONDS:
            return False
        self._said_at = now
        record.msg, record.args, record.exc_info = "the broker is away: %s", (failure,), None
        return True


def _named(record: logging.LogRecord) -> set[str]:
    """The tasks that a line of Celery is about: its workers name them in one way, its clock in
    another."""
    data = getattr(record, "data", None)
    name = data.get("name") if isinstance(data, dict) else None
    given = record.args if isinstance(record.args, tuple) else ()
    return {each for each in (name, *given) if isinstance(each, str)}
