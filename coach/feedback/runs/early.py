"""The early report: what words and voice tell while the picture is still watched."""

from __future__ import annotations

from analysis.results import Report
from analysis.stage_roles import SIDE_BY_SIDE
from coach.feedback.models import Run, Stage

_EVENTS = frozenset({"filled_pause", "filler_word", "silent_pause"})
"""The moments that the waiting page plays."""


def is_early(stage: Stage) -> bool:
    """Return whether other measuring stages of the run still go on, so that the report is far."""
    others = stage.run.stages.filter(name__in=SIDE_BY_SIDE).exclude(pk=stage.pk)
    return others.exclude(state__in=Stage.FINISHED).exists()


def store_early_report(run: Run, report: Report) -> None:
    """Keep the measures and moments of an early report until its run ends."""
    moments = tuple(event for event in report.events if event.kind in _EVENTS)
    kept = report.model_copy(update={"words": (), "unwritten": (), "tracks": {}, "events": moments})
    run.early_report = kept.model_dump(mode="json")
    run.save(update_fields=["early_report"])


def early_report_of(run: Run) -> Report | None:
    """Return what is known so far of a run that goes on."""
    if run.state != Run.State.RUNNING or run.early_report is None:
        return None
    return Report.model_validate(run.early_report)
