"""What must not lie in a log: keys that stand in addresses, and what failures tell of people.

The link with which a person chooses a password is a key to the account until it was used or some
days have gone by, and a guest's link one to a recording; who reads or collects logs is not to hold
them. Of a row that it refuses, the database tells every value: names, what was said, what a coach
wrote. A relay tells whose mail it did not take.
"""

from __future__ import annotations

import logging
import re
import time

_KEY = re.compile(
    "(/(?:password/reset/key|confirm-email|guest)/(?!in/))(?:(?!/)[^?&\\s\"')])+".replace(
        "/", "(?:/|%2F)"
    ),
    re.IGNORECASE,
)
"""Where allauth has them, and the links for guests, also within what follows a question mark;
`test_access_log` holds them together."""

_VALUES = re.compile(
    r"(\\n|\n)(DETAIL|CONTEXT|LINE \d+):"
    r".*?(?=\n\nThe above exception was|\n\nDuring handling of|\n(?:\S+ )?Traceback \(most|\Z)",
    re.DOTALL,
)
"""What PostgreSQL adds to a refusal, up to where Python goes on; values may have lines of their
own. In what `repr` made of it the line breaks are written out."""

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
"""From its first letter on: looked for from each letter anew, a long word would take minutes."""


_TIME = "%Y-%m-%dT%H:%M:%S%z"


def without_keys(value: object) -> object:
    """The same text, with what opens an account left out."""
    return _KEY.sub(r"\1(left out)", value) if isinstance(value, str) else value


def without_values(value: str) -> str:
    """What is told of a failure, without the values in it and the addresses of mail."""
    return _MAIL.sub("(address left out)", _VALUES.sub(r"\1\2: (left out)", value))


class DiscreetFormatter(logging.Formatter):
    """A line as it would be, but for keys and values: Django names the address of what is refused
    or fails. Times are in UTC and say so, whatever the zone of the pages is."""

    @staticmethod
    def converter(seconds: float | None = None) -> time.struct_time:
        """Return the time in UTC."""
        return time.gmtime(seconds)

    def format(self, record: logging.LogRecord) -> str:
        """With what is told of a failure below it."""
        return _discreet(super().format(record), record)


class _Around(DiscreetFormatter):
    """The lines of another formatter, made discreet."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        inner.converter = time.gmtime
        inner.default_time_format, inner.default_msec_format = _TIME, None
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        """As the other one would."""
        return _discreet(self._inner.format(record), record)


def make_discreet(logger: logging.Logger) -> None:
    """Whatever the handlers of a logger write: Celery brings its own to workers and the clock."""
    for handler in logger.handlers:
        if handler.formatter and not isinstance(handler.formatter, DiscreetFormatter):
            handler.setFormatter(_Around(handler.formatter))


def _discreet(line: str, record: logging.LogRecord) -> str:
    failed = record.exc_info or record.levelno >= logging.WARNING
    return str(without_keys(without_values(line) if failed else line))
