"""Stored reports as the bundle reads them."""

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
    """The report of a take. Read each time: hundreds of them are not kept in memory."""
    return report_of(Run(pk=take.run.pk))


def speech_reader(report: Report) -> str:
    """The model that read the speech: the English size that was asked for, else the one that
    reads every language. A report names the latter as well where it only looked for the language.
    """
    read = report.stages.get("transcribe")
    size = str(read.options.get("size") or "") if read else ""
    english = sorted(name for name in report.models if size and name.startswith(size))
    others = [name for name in ("speech", WHISPER_BASE) if name in report.models]
    return next(iter([*english, *others]), "")


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
