"""Takes with measures, for tests of what is compared."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone

from analysis.metrics import METRICS
from analysis.results import Language, Measurement, Reason, Report, Skipped
from coach.accounts.models import User
from coach.feedback.models import Run
from coach.feedback.reports import store_report
from coach.practice.progress.page import Course, ProgressPage
from coach.rehearsals.models import Rehearsal
from tests.coach.factories import RehearsalFactory, finish_analysis, make_report

UMS = "fillers.filled_pauses_per_minute"
FACING = "gaze.camera_facing_share"


def rate(value: float, half: float = 1.0, coverage: float = 0.95) -> Measurement:
    return Measurement(
        value=value,
        unit="per minute",
        n=20,
        coverage=coverage,
        quality="good",
        interval=(value - half, value + half),
    )


def take_with(
    owner: User, measured: Measurement | Skipped, *, heard: str = "en", **more: Any
) -> Rehearsal:
    """A take whose report its owner has read. `heard`: its language, where it was not named."""
    more.setdefault("opened_at", timezone.now())
    take = RehearsalFactory(owner=owner, **more)
    is_named = take.language != "auto"
    language = Language(
        code=take.language if is_named else heard, source="given" if is_named else "detected"
    )
    report = _report_with(measured).model_copy(update={"language": language})
    finish_analysis(take, report)
    return take


def silent_take(owner: User, measures: dict[str, Measurement], **more: Any) -> Rehearsal:
    """A take with a picture in which nobody is heard, as its analysis leaves it."""
    take = RehearsalFactory(owner=owner, opened_at=timezone.now(), **more)
    report = make_report(**measures)
    found = {key: each for key, each in report.measurements.items() if key in measures}
    nobody = Skipped.because(Reason.NO_AUDIO, "sound_missing")
    finish_analysis(
        take,
        report.model_copy(
            update={
                "language": Language(code=take.language, source="given"),
                "media": report.media.model_copy(update={"audio": None}),
                "speech": (),
                "words": (),
                "events": (),
                "measurements": found,
                "skipped": {key.id: nobody for key in METRICS if key.id not in found},
            }
        ),
    )
    return take


def course_of(page: ProgressPage) -> Course:
    """The one course that there is."""
    [goal] = [goal for goal in page.goals if goal.courses]
    [course] = goal.courses
    return course


def choosing(take: Rehearsal) -> str:
    """Where a stretch of it is chosen, to do it again."""
    return reverse("practice:choose_span", args=[take.pk])


def _report_with(measured: Measurement | Skipped) -> Report:
    if isinstance(measured, Skipped):
        report = make_report()
        kept = {key: each for key, each in report.measurements.items() if key != UMS}
        skipped = {**report.skipped, UMS: measured}
        return report.model_copy(update={"measurements": kept, "skipped": skipped})
    return make_report(**{UMS: measured})


def finish(recording: Rehearsal, ums: int, report: Report | None = None) -> None:
    """Its run is done, as workers leave it: a report with so many ums, and no draft."""
    usual = make_report(duration=60.0)
    some = usual.model_copy(update={"events": usual.events[:ums]})
    run = recording.runs.get()
    store_report(run, report or some)
    run.stages.update(state="done")
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())
