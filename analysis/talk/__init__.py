"""What analysers share: a talk put together from what was heard and seen, and arithmetic on it."""

from __future__ import annotations
