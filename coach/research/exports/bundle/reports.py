"""Access to stored reports for the bundle."""

from __future__ import annotations

import hashlib

from django.db.models import QuerySet

from analysis.results import Report
from analysis.weights import WHISPER_BASE
from coach.feedback.models import MeasuredValue, Run, StoredReport
from coach.feedback.reports import report_of
from coach.research.exports.bundle.scope import Take

_MS = 1000


def report_in(take: Take) -> Report:
    """Return the report of a take, uncached: hundreds of them would not fit in memory."""
    return report_of(Run(pk=take.run.pk))


def speech_reader(report: Report) -> str:
    """Return the model that read the speech: the requested English one, or the multilingual one.

    A report names the multilingual model also if it only detected the language.
    """
    read = report.stages.get("transcribe")
    size = str(read.options.get("size") or "") if read else ""
    english = sorted(name for name in report.models if size and name.startswith(size))
    others = [name for name in ("speech", WHISPER_BASE) if name in report.models]
    return next(iter([*english, *others]), "")


def seconds_of(take: Take) -> float:
    """Return the length of a take in seconds, without reading its report."""
    duration: float = StoredReport.objects.values_list("duration", flat=True).get(pk=take.run.pk)
    return duration


def measured_in(take: Take) -> QuerySet[MeasuredValue]:
    """Return the values of a take, without reading its report."""
    return MeasuredValue.objects.filter(report=take.run.pk)


def milliseconds(seconds: float) -> int:
    """Return milliseconds, the unit of every time in the bundle."""
    return round(seconds * _MS)


def text_digest(words: str) -> str:
    """Return the SHA-256 of a text as written to a file."""
    return hashlib.sha256(words.encode()).hexdigest()
