"""Redaction of log lines: keys in URLs, and personal data in error messages.

A password reset link is a key to the account until it is used or expires, and a guest link a key to
a recording; people who read or collect logs must not get them. PostgreSQL's message about a refused
row contains every value: names, what was said, what a coach wrote. An SMTP relay names the
recipients that it refused.
"""

from __future__ import annotations

import logging
import re
import time

_KEY = re.compile(
    "(/(?:password/reset/key|confirm-email|guest|accounts/signup)/(?!in/))(?:(?!/)[^?&\\s\"')])+".replace(
        "/", "(?:/|%2F)"
    ),
    re.IGNORECASE,
)
"""URLs of allauth with keys, and guest links, also inside a query string; `test_access_log` checks
that they match."""

_VALUES = re.compile(
    r"(\\n|\n)(DETAIL|CONTEXT|LINE \d+):"
    r".*?(?=\n\nThe above exception was|\n\nDuring handling of|\n(?:\S+ )?Traceback \(most|\Z)",
    re.DOTALL,
)
"""PostgreSQL's addition to an error, up to where Python's own text continues; values may have lines
of their own. In the output of `repr` the line breaks are escaped."""

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
"""Anchored at its first letter: if matched from every letter, a long word would take minutes."""


_TIME = "%Y-%m-%dT%H:%M:%S%z"


def without_keys(value: object) -> object:
    """Return the text without keys that open an account or a recording; other values unchanged."""
    return _KEY.sub(r"\1(left out)", value) if isinstance(value, str) else value


def without_values(value: str) -> str:
    """Return an error message without the database values and email addresses in it."""
    return _MAIL.sub("(address left out)", _VALUES.sub(r"\1\2: (left out)", value))


class DiscreetFormatter(logging.Formatter):
    """A log formatter that redacts keys and values: Django names the URL of a request that fails.

    Times are in UTC and say so, whatever the time zone of the pages.
    """

    @staticmethod
    def converter(seconds: float | None = None) -> time.struct_time:
        """Return the time in UTC."""
        return time.gmtime(seconds)

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with its traceback, redacted."""
        return _discreet(super().format(record), record)


class _Around(DiscreetFormatter):
    """A wrapper that redacts the output of another formatter."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        inner.converter = time.gmtime
        inner.default_time_format, inner.default_msec_format = _TIME, None
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        """Format a record with the wrapped formatter, redacted."""
        return _discreet(self._inner.format(record), record)


def make_discreet(logger: logging.Logger) -> None:
    """Redact what a logger's handlers write: Celery installs its own for workers and the
    scheduler.
    """
    for handler in logger.handlers:
        if handler.formatter and not isinstance(handler.formatter, DiscreetFormatter):
            handler.setFormatter(_Around(handler.formatter))


def _discreet(line: str, record: logging.LogRecord) -> str:
    failed = record.exc_info or record.levelno >= logging.WARNING
    return str(without_keys(without_values(line) if failed else line))
