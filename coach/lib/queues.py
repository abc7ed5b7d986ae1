"""The queues that work waits in: each has workers of its own, and machines that suit it."""

from __future__ import annotations

QUEUES = ("media", "speech", "vision", "default")
