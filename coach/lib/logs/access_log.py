"""The lines that gunicorn writes of requests, without what must not lie in a log."""

from __future__ import annotations

import re
from typing import Any

from gunicorn.glogging import Logger

from coach.lib.logs.discreet import DiscreetFormatter, without_keys

_ASKED = re.compile(r"\?[^\s\"]+")
"""What follows the question mark: whom an administrator searched for, the title of a talk."""


class DiscreetLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own, but for the keys and the words in addresses."""

    def atoms(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What a line may be made of."""
        said: dict[str, Any] = super().atoms(*args, **kwargs)
        said["q"] = ""
        for name in ("r", "f"):  # the request, and the page that led to it
            said[name] = _ASKED.sub("?(left out)", said[name])
        return {name: without_keys(value) for name, value in said.items()}

    def setup(self, cfg: Any) -> None:
        """Of a request that it could not handle or read its other lines name the address."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(DiscreetFormatter(self.error_fmt, self.datefmt))
