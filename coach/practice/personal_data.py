"""What practising keeps of a person."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.reports import measured_by
from coach.feedback.selectors import latest_report_run
from coach.lib.personal import PersonalData
from coach.practice.exercises.selectors import exercises_done_for
from coach.practice.models import SpanAgain
from coach.rehearsals.models import Rehearsal


def _export(user: User) -> dict[str, Any]:
    return {"exercises_done": list(exercises_done_for(user).values("exercise", "rehearsal", "at"))}


def _export_take(take: Rehearsal) -> dict[str, Any]:
    return {"done_again": [_span(span) for span in take.spans_again.select_related("after")]}


def _span(span: SpanAgain) -> dict[str, Any]:
    after = span.after
    return {
        "from": span.start,
        "to": span.end,
        "measure": span.metric,
        "began": span.created_at,
        "before": _value(span.before, span.metric),
        "recorded": after and after.created_at,
        "recording": reverse("rehearsals:media", args=[after.pk]) if after else "",
        "now": _value(after, span.metric) if after else None,
    }


def _value(rehearsal: Rehearsal, metric: str) -> float | None:
    run = latest_report_run(rehearsal)
    found = measured_by(run, metric) if run else None
    return found.value if found else None


PERSONAL_DATA = PersonalData(
    app="practice",
    kept={"exercises_done": "as long as the account; those of a take as long as the take"},
    export=_export,
    export_take=_export_take,
    handed_out={"practice.exercisedone.user": "exercises_done"},
)
