"""gunicorn's access log without private data."""

from __future__ import annotations

import re
import time
from typing import Any

from gunicorn.glogging import Logger

from coach.environment import logs_are_json
from coach.lib.logs.discreet import DiscreetFormatter, without_keys
from coach.lib.logs.json_lines import JsonFormatter

_ASKED = re.compile(r"\?[^\s\"]+")
"""The query string: an administrator's search for a person, the title of a talk."""


_TIME = "[%d/%b/%Y:%H:%M:%S %z]"
"""Format of the Common Log Format, for programs that parse such lines."""


class DiscreetLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's logger, with secret keys and query strings removed from URLs."""

    def atoms(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the values that a log line may contain."""
        said: dict[str, Any] = super().atoms(*args, **kwargs)
        said["q"] = ""
        for name in ("r", "f"):  # the request, and the page that led to it
            said[name] = _ASKED.sub("?(left out)", said[name])
        return {name: without_keys(value) for name, value in said.items()}

    def now(self) -> str:
        """Return the time of a request in the time zone of all logs; Django changes that of
        the process.
        """
        return time.strftime(_TIME, time.gmtime())

    def setup(self, cfg: Any) -> None:
        """Redact the error log too: it names the URL of a request that failed or could not
        be read.
        """
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(DiscreetFormatter(self.error_fmt, self.datefmt))
        if logs_are_json():
            for handler in (*self.error_log.handlers, *self.access_log.handlers):
                handler.setFormatter(JsonFormatter())
