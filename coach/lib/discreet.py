"""What must not lie in a log: the keys that stand in addresses.

The link with which a person chooses a password is a key to the account until it was used or some
days have gone by, and a guest's link one to a recording; who reads or collects logs is not to hold
them.
"""

from __future__ import annotations

import logging
import re

_KEY = re.compile(
    "(/(?:password/reset/key|confirm-email|guest)/(?!in/))(?:(?!/)[^?&\\s\"')])+".replace(
        "/", "(?:/|%2F)"
    ),
    re.IGNORECASE,
)
"""Where allauth has them, and the links for guests, also within what follows a question mark;
`test_access_log` holds them together."""


def without_keys(value: object) -> object:
    """The same text, with what opens an account left out."""
    return _KEY.sub(r"\1(left out)", value) if isinstance(value, str) else value


class DiscreetFormatter(logging.Formatter):
    """A line as it would be, but for keys: Django names the address of what is refused or fails."""

    def format(self, record: logging.LogRecord) -> str:
        """With what is told of a failure below it."""
        return str(without_keys(super().format(record)))
