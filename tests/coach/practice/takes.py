"""Takes with measures, for tests of what is compared."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from analysis.results import Measurement, Skipped
from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

UMS = "fillers.filled_pauses_per_minute"


def rate(value: float, half: float = 1.0, coverage: float = 0.95) -> Measurement:
    return Measurement(
        value=value,
        unit="per minute",
        n=20,
        coverage=coverage,
        quality="good",
        interval=(value - half, value + half),
    )


def take_with(owner: User, measured: Measurement | Skipped, **more: Any) -> Rehearsal:
    """A take whose report its owner has read."""
    more.setdefault("opened_at", timezone.now())
    take = RehearsalFactory(owner=owner, **more)
    if isinstance(measured, Skipped):
        report = make_report()
        kept = {key: each for key, each in report.measurements.items() if key != UMS}
        skipped = {**report.skipped, UMS: measured}
        report = report.model_copy(update={"measurements": kept, "skipped": skipped})
    else:
        report = make_report(**{UMS: measured})
    finish_analysis(take, report)
    return take
