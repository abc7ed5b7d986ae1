"""Storage of reports: the document apart from its run, and one row per measure.

Pages of a take read the document. Lists, statistics, exports and speakers' baselines read
the rows, never a whole report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Value, When

from analysis.metrics import complete
from analysis.results import Measurement, Quality, Reason, Report, Skipped, is_boundless
from coach.feedback.models import MeasuredValue, Run, StoredReport

UNCERTAIN_LANGUAGE = "auto"
"""The code of a report whose language could not be detected."""
_SPEECH = "signal.speech_seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """The facts about a recording for the player, without the rest of its report."""

    duration: float
    fps: float | None
    has_video: bool
    has_words: bool
    language: str

    @classmethod
    def of(cls, report: Report) -> Played:
        """Return the facts from a report."""
        video = report.media.video
        return cls(
            duration=report.media.duration,
            fps=video.fps if video else None,
            has_video=video is not None,
            has_words=bool(report.words),
            language=report.language.code,
        )


def played_in(run: Run) -> Played:
    """Return the facts for a run from its stored report, without parsing all of it.

    Raises StoredReport.DoesNotExist.
    """
    found = StoredReport.objects.values_list(
        "duration", "language", "document__media__video", "document__words__0"
    )
    duration, language, video, word = found.get(pk=run.pk)
    return Played(
        duration=duration,
        fps=video.get("fps") if video else None,
        has_video=video is not None,
        has_words=word is not None,
        language=language,
    )


@transaction.atomic
def store_report(run: Run, report: Report) -> StoredReport:
    """Store the report of a run, replacing that of an earlier attempt."""
    StoredReport.objects.filter(run=run).delete()
    kept = StoredReport.objects.create(
        run=run,
        document=report.model_dump(mode="json"),
        schema_version=report.schema_version,
        duration=report.media.duration,
        language=report.language.code,
    )
    MeasuredValue.objects.bulk_create(rows_of(kept, report))
    return kept


def rows_of(kept: StoredReport, report: Report) -> list[MeasuredValue]:
    """Return a report's measurements and skip reasons as unsaved rows."""
    return [
        *(_measured(kept, metric, each) for metric, each in report.measurements.items()),
        *(_skipped(kept, metric, each) for metric, each in report.skipped.items()),
    ]


def report_of(run: Run) -> Report:
    """Return the report of a run, completed with the current catalogue.

    Raises StoredReport.DoesNotExist, or ValidationError if this version cannot read it.
    """
    return complete(Report.model_validate(run.report.document))


def values_in(runs: Iterable[Run]) -> dict[UUID, dict[str, float]]:
    """Return the measured values of these runs, by run and metric."""
    rows = MeasuredValue.objects.filter(report__in=[run.pk for run in runs], reason="")
    found: dict[UUID, dict[str, float]] = {}
    for run_id, metric, value in rows.values_list("report_id", "metric", "value"):
        if value is not None:
            found.setdefault(run_id, {})[metric] = value
    return found


def measured_by(run: Run, metric: str) -> MeasuredValue | None:
    """Return the row of one metric of a run, or None if the report lacks the metric."""
    return MeasuredValue.objects.filter(report=run.pk, metric=metric).first()


def ends_of(row: MeasuredValue) -> tuple[float | None, float | None, bool | None]:
    """Return the interval's ends (None if unknown), and whether its upper end is open."""
    if row.low is None or row.high is None:
        return None, None, None
    is_open = is_boundless((row.low, row.high), row.unit)
    return row.low, None if is_open else row.high, is_open


def rows_in(runs: Iterable[Run], metrics: Iterable[str]) -> dict[UUID, dict[str, MeasuredValue]]:
    """Return the rows of some metrics of these runs, by run and metric."""
    rows = MeasuredValue.objects.filter(
        report__in=[run.pk for run in runs], metric__in=list(metrics)
    )
    found: dict[UUID, dict[str, MeasuredValue]] = {}
    for row in rows:
        found.setdefault(row.report_id, {})[row.metric] = row
    return found


def measurement_in(row: MeasuredValue) -> Measurement:
    """Return the measurement of a row with a value."""
    interval = None if row.low is None or row.high is None else (row.low, row.high)
    return Measurement(
        value=row.value or 0.0,
        unit=row.unit,
        n=row.n,
        coverage=row.coverage,
        quality=Quality(row.quality),
        interval=interval,
    )


def languages_in(runs: Iterable[Run]) -> dict[UUID, str]:
    """Return the language of each report by run: the stated one, else the detected one.

    Empty without speech; `UNCERTAIN_LANGUAGE` if none was detected, or a different one
    from the stated one.
    """
    rows = MeasuredValue.objects.filter(report=OuterRef("pk"))
    nobody = rows.filter(metric=_SPEECH, reason__in=[Reason.NO_AUDIO, Reason.NO_SPEECH])
    other = rows.filter(reason=Reason.LANGUAGE_MISMATCH)
    reports = StoredReport.objects.filter(pk__in=[run.pk for run in runs]).annotate(
        spoken=Case(
            When(Exists(nobody), then=Value("")),
            When(Exists(other), then=Value(UNCERTAIN_LANGUAGE)),
            default=F("language"),
        )
    )
    return dict(reports.values_list("pk", "spoken"))


def _measured(kept: StoredReport, metric: str, measurement: Measurement) -> MeasuredValue:
    low, high = measurement.interval or (None, None)
    return MeasuredValue(
        report=kept,
        metric=metric,
        value=measurement.value,
        unit=measurement.unit,
        n=measurement.n,
        coverage=measurement.coverage,
        quality=measurement.quality.value,
        low=low,
        high=high,
    )


def _skipped(kept: StoredReport, metric: str, skipped: Skipped) -> MeasuredValue:
    return MeasuredValue(report=kept, metric=metric, reason=skipped.reason.value)
