"""Media file in, measurements out. Pure Python: no web framework, no queue, no database."""

from __future__ import annotations

__version__ = "0.3.0"
"""The version of Rostrum, for display only: stages and rules have versions of their own."""
