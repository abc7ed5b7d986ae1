"""Version 1 of the API, described in docs/reference/api.md. It only grows."""

from __future__ import annotations
