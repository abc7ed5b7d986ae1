"""Celery tasks of research, where Celery looks for them."""

from __future__ import annotations

from coach.research.coding.recordings.tasks import write_down
from coach.research.exports.tasks import make_bundle, sweep, take_bundle_in

__all__ = ["make_bundle", "sweep", "take_bundle_in", "write_down"]
