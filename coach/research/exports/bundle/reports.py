"""Stored reports as the bundle reads them."""

from __future__ import annotations

import hashlib

from django.db.models import QuerySet

from analysis.results import Report
from coach.feedback.models import MeasuredValue, Run, StoredReport
from coach.feedback.reports import report_of
from coach.research.exports.bundle.scope import Take

_MS = 1000


def report_in(take: Take) -> Report:
    """The report of a take. Read each time: hundreds of them are not kept in memory."""
    return report_of(Run(pk=take.run.pk))


def seconds_of(take: Take) -> float:
    """The length of a take, without its report."""
    duration: float = StoredReport.objects.values_list("duration", flat=True).get(pk=take.run.pk)
    return duration


def measured_in(take: Take) -> QuerySet[MeasuredValue]:
    """The values of a take, without its report."""
    return MeasuredValue.objects.filter(report=take.run.pk)


def milliseconds(seconds: float) -> int:
    """The unit of every time in the bundle."""
    return round(seconds * _MS)


def text_digest(words: str) -> str:
    """SHA-256 of a text as it lies in a file."""
    return hashlib.sha256(words.encode()).hexdigest()
