"""Filled pauses: constructed talks, the head that hears them, and how well it does."""

from __future__ import annotations
