"""The lines that gunicorn writes of requests, without what must not lie in a log."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from coach.lib.discreet import DiscreetFormatter, without_keys


class DiscreetLogger(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own, but for the keys in addresses."""

    def atoms(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What a line may be made of."""
        said: dict[str, Any] = super().atoms(*args, **kwargs)
        return {name: without_keys(value) for name, value in said.items()}

    def setup(self, cfg: Any) -> None:
        """Of a request that it could not handle or read its other lines name the address."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(DiscreetFormatter(self.error_fmt, self.datefmt))
