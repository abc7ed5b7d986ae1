"""Log filters for lines that repeat every few seconds without information."""

from __future__ import annotations

import logging
import time

ROUTINE = frozenset(
    {
        "coach.curation.tasks.sweep",
        "coach.feedback.tasks.sweep",
        "coach.guests.tasks.sweep_clips",
        "coach.lti.tasks.report",
        "coach.notices.tasks.mail",
        "coach.portal.tasks.mail_invitations",
        "coach.rehearsals.tasks.sweep_removals",
        "coach.research.tasks.sweep",
        "coach.review.tasks.sweep",
        "coach.uploads.tasks.sweep",
        "coach.webhooks.tasks.deliver",
    }
)


class RoutineFilter(logging.Filter):
    """Filter that drops the lines about sending, receiving and finishing a sweep; its
    findings stay.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record."""
        return record.levelno > logging.INFO or not ROUTINE.intersection(_named(record))


class BrokerOutageFilter(logging.Filter):
    """Filter that lets the scheduler report a missing broker in one line, once a minute.

    Otherwise it writes a traceback for each sweep, some forty thousand lines in ten minutes, which
    pushes everything else out.
    """

    EVERY_SECONDS = 60.0

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self._said_at = -self.EVERY_SECONDS

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record: repeated broker failures only once a minute."""
        failure = record.exc_info[1] if record.exc_info else None
        # By class name: every process imports this module, and only the scheduler has loaded
        # celery.beat.
        if type(failure).__name__ != "SchedulingError":
            return True
        now = time.monotonic()
        if now - self._said_at < self.EVERY_SECONDS:
            return False
        self._said_at = now
        record.msg, record.args, record.exc_info = "the broker is away: %s", (failure,), None
        return True


def _named(record: logging.LogRecord) -> set[str]:
    """Return the task names in one of Celery's records; workers and the scheduler store
    them differently.
    """
    data = getattr(record, "data", None)
    name = data.get("name") if isinstance(data, dict) else None
    given = record.args if isinstance(record.args, tuple) else ()
    return {each for each in (name, *given) if isinstance(each, str)}
