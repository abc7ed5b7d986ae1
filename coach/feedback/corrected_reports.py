"""Corrected reports: the stored report with the corrections in force applied.

The stored report never changes, so each correction can be undone. Results are cached, since
calculating one takes some seconds for a long talk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Literal
from uuid import UUID

from analysis.corrections import Correction as Change
from analysis.corrections import with_corrections
from analysis.metrics import complete
from analysis.results import Report
from coach.accounts.models import User
from coach.feedback.models import CorrectedReport, Correction, Feedback, MeasuredValue, Run
from coach.feedback.reports import report_of, rows_in, rows_of, values_in
from coach.feedback.selectors import feedback_for_owner, latest_feedback
from coach.rehearsals.models import Rehearsal

VERSION = 1
"""The version of `analysis.corrections`; raise it when results for the same corrections change."""
_KEPT_OF_A_RUN = 3
"""The number of cached reports per run: draft, released version, and the state after an undo."""

_KINDS: dict[
    str, Literal["not_a_filler", "not_a_look_away", "word", "missed_filler", "meant_pause"]
] = {
    Correction.Kind.NOT_A_FILLER: "not_a_filler",
    Correction.Kind.NOT_A_LOOK_AWAY: "not_a_look_away",
    Correction.Kind.WORD: "word",
    Correction.Kind.MISSED_FILLER: "missed_filler",
    Correction.Kind.MEANT_PAUSE: "meant_pause",
}


def standing_corrections(feedback: Feedback) -> Sequence[Correction]:
    """Return the corrections of this and earlier versions, by time in the recording."""
    return list(
        Correction.objects.filter(
            feedback__rehearsal=feedback.rehearsal_id,
            feedback__version__lte=feedback.version,
            undone_at=None,
        )
    )


def corrected_report(feedback: Feedback, corrections: Sequence[Correction] | None = None) -> Report:
    """Return the corrected report of a version; pass `corrections` if they are known."""
    standing = standing_corrections(feedback) if corrections is None else corrections
    return _over(feedback.run, standing)


def report_for_reading(
    run: Run, feedback: Feedback | None, corrections: Sequence[Correction] | None = None
) -> Report:
    """Return the trainee's report: with their own corrections, and a coach's once released.

    `corrections`: those of `corrections_for_reading`, if they are known.
    """
    return _over(run, corrections_for_reading(feedback) if corrections is None else corrections)


def rows_for_reading(
    runs: Sequence[Run], metrics: Sequence[str]
) -> dict[UUID, dict[str, MeasuredValue]]:
    """Return these runs' stored measures as the owner reads them, by run and metric."""
    found = rows_in(runs, metrics)
    for run, report in _put_right(runs):
        rows = (row for row in rows_of(run.report, report) if row.metric in metrics)
        found[run.pk] = {row.metric: row for row in rows}
    return found


def values_for_reading(runs: Sequence[Run]) -> dict[UUID, dict[str, float]]:
    """Return these runs' values as the owner reads them, by run and metric."""
    found = values_in(runs)
    for run, report in _put_right(runs):
        found[run.pk] = {metric: each.value for metric, each in report.measurements.items()}
    return found


def _put_right(runs: Sequence[Run]) -> Iterator[tuple[Run, Report]]:
    """Yield the runs with corrections that their owner reads, with their corrected reports."""
    standing = Correction.objects.filter(
        undone_at=None, feedback__rehearsal__in=[run.rehearsal_id for run in runs]
    )
    takes = set(standing.values_list("feedback__rehearsal", flat=True))
    for run in runs:
        feedback = feedback_for_owner(run.rehearsal) if run.rehearsal_id in takes else None
        if corrections := corrections_for_reading(feedback):
            yield run, _over(run, corrections)


def report_read_by(reader: User, rehearsal: Rehearsal, run: Run) -> Report:
    """Return the report with corrections: a coach's reach the owner after the release."""
    if reader.pk == rehearsal.owner_id:
        return report_for_reading(run, feedback_for_owner(rehearsal))
    feedback = latest_feedback(rehearsal)
    return corrected_report(feedback) if feedback else report_of(run)


def corrections_for_reading(feedback: Feedback | None) -> Sequence[Correction]:
    """Return the corrections that the trainee sees: before the release only their own."""
    if feedback is None:
        return []
    standing = standing_corrections(feedback)
    return standing if feedback.is_released else made_by_owner(standing)


def made_by_owner(corrections: Sequence[Correction]) -> Sequence[Correction]:
    """Return the corrections of the take's owner."""
    return [each for each in corrections if each.made_as == Correction.Side.OWNER]


def _over(run: Run, corrections: Sequence[Correction]) -> Report:
    if not corrections:
        return report_of(run)
    changes = [_change(each) for each in corrections]
    digest = _digest(changes)
    kept = CorrectedReport.objects.filter(run=run, digest=digest).first()
    if kept is not None:
        return complete(Report.model_validate(kept.document))
    left_out = run.options.get("left_out") or []
    found = with_corrections(
        report_of(run),
        changes,
        left_out=tuple((float(start), float(end)) for start, end in left_out),
    )
    _keep(run, digest, found)
    return found


def _digest(changes: Sequence[Change]) -> str:
    said = json.dumps([VERSION, [asdict(each) for each in changes]], sort_keys=True)
    return sha256(said.encode()).hexdigest()


def _keep(run: Run, digest: str, report: Report) -> None:
    document = report.model_dump(mode="json")
    CorrectedReport.objects.bulk_create(
        [CorrectedReport(run=run, digest=digest, document=document)], ignore_conflicts=True
    )
    newest = CorrectedReport.objects.filter(run=run).values_list("pk", flat=True)[:_KEPT_OF_A_RUN]
    CorrectedReport.objects.filter(run=run).exclude(pk__in=list(newest)).delete()


def _change(correction: Correction) -> Change:
    return Change(
        kind=_KINDS[correction.kind],
        start=correction.start,
        end=correction.end,
        event=correction.event,
        before=correction.before,
        after=correction.after,
    )
