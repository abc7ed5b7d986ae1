"""Filled pauses: constructed talks, training of the filler head, and its accuracy."""

from __future__ import annotations
