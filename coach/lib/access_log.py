"""The lines that gunicorn writes of each request, without what must not lie in a log.

The link with which a person chooses a password is a key to the account until it was used or some
days have gone by; who reads or collects logs is not to hold it.
"""

from __future__ import annotations

import re
from typing import Any

from gunicorn.glogging import Logger

_KEY = re.compile(r"(/password/reset/key/|/guest/(?!in/))[^/?\s\"]+")
"""Where allauth has it, and the links for guests; `test_access_log` holds them together."""


class DiscreetLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own, but for the keys in addresses."""

    def atoms(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What a line may be made of."""
        said: dict[str, Any] = super().atoms(*args, **kwargs)
        return {name: without_keys(value) for name, value in said.items()}


def without_keys(value: object) -> object:
    """The same text, with what opens an account left out."""
    return _KEY.sub(r"\1(left out)", value) if isinstance(value, str) else value
