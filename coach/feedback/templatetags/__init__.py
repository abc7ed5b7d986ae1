"""Template tags of feedback."""

from __future__ import annotations
