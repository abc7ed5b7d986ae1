"""Personal data of practice."""

from __future__ import annotations

from typing import Any

from django.forms.models import model_to_dict
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.reports import measured_by
from coach.feedback.selectors import latest_report_run
from coach.lib.personal_data import PersonalData
from coach.lib.words.placeholder_names import FORMER_COACH
from coach.practice.exercises.selectors import exercises_done_for
from coach.practice.key_messages.selectors import messages_of, verdicts_on
from coach.practice.models import (
    CoachingSession,
    CoachTask,
    ExerciseDone,
    FocusArea,
    PracticeReminder,
    SpanAgain,
)
from coach.practice.self_assessment.selectors import own_assessment
from coach.rehearsals.models import Rehearsal


def _export(user: User) -> dict[str, Any]:
    own = ("metric", "step", "since", "set_by_name", "why", "created_at", "ended_at")
    reminder = ("at", "days", "zone", "by_email", "created_at")
    session = ("held_on", "coach_name", "notes", "created_at", "changed_at")
    task = ("exercise", "text", "due_on", "set_by_name", "created_at", "done_at")
    return {
        "coach_tasks": list(CoachTask.objects.filter(person=user).values(*task)),
        "coach_tasks_set": list(
            CoachTask.objects.filter(set_by=user).values("exercise", "text", "due_on", "created_at")
        ),
        "coaching_sessions": list(CoachingSession.objects.filter(person=user).values(*session)),
        "coaching_sessions_noted": list(
            CoachingSession.objects.filter(coach=user).values("held_on", "notes", "created_at")
        ),
        "practice_reminder": list(PracticeReminder.objects.filter(person=user).values(*reminder)),
        "exercises_done": [_exercise(done) for done in exercises_done_for(user)],
        "focus_areas": list(FocusArea.objects.filter(person=user).values(*own)),
        "focus_areas_set": list(
            FocusArea.objects.filter(set_by=user).values("metric", "step", "since", "why")
        ),
    }


def _exercise(done: ExerciseDone) -> dict[str, Any]:
    here = done.recording_id
    return {
        "exercise": done.exercise,
        "rehearsal": done.rehearsal_id,
        "at": done.at,
        "counted": done.facts,
        "recording": reverse("rehearsals:media", args=[here]) if here else "",
    }


def _erase(user: User) -> int:
    """Replace the name of an erased coach in what they set and held: focuses, tasks, sessions."""
    held = CoachingSession.objects.filter(coach=user).update(coach=None, coach_name=FORMER_COACH)
    tasks = CoachTask.objects.filter(set_by=user).update(set_by=None, set_by_name=FORMER_COACH)
    focuses = FocusArea.objects.filter(set_by=user)
    return held + tasks + focuses.update(set_by=None, set_by_name=FORMER_COACH)


def _export_take(take: Rehearsal) -> dict[str, Any]:
    return {
        "done_again": [_span(span) for span in take.spans_again.select_related("after")],
        "self_assessment": _self_assessment(take),
        "key_messages": _key_messages(take),
    }


def _key_messages(take: Rehearsal) -> list[dict[str, Any]]:
    answers = verdicts_on(take)
    return [
        {
            "message": message.text,
            "written": message.created_at,
            "answers": [
                {"at_seconds": each.at_seconds, "is_it": each.is_it, "at": each.at}
                for each in answers
                if each.message_id == message.pk
            ],
        }
        for message in messages_of(take)
    ]


def _self_assessment(take: Rehearsal) -> dict[str, Any] | None:
    found = own_assessment(take)
    if found is None:
        return None
    moments = found.moments.values("at_seconds", "tone", "quality", "word")
    return {**model_to_dict(found, exclude=["rehearsal"]), "at": found.at, "moments": list(moments)}


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
    kept={
        "exercises_done": "as long as the account; those of a take as long as the take; "
        "recordings for ROSTRUM_KEEP_EXERCISES_DAYS (coach.rehearsals.retention)",
        "focus_areas": "as long as the account",
        "practice_reminder": "as long as the account, or until it is deleted",
        "coach_tasks": "as long as the account, or until the coach deletes it",
        "coach_tasks_set": "as long as the account of the trainee",
        "coaching_sessions": "as long as the account, or until the coach deletes the notes",
        "coaching_sessions_noted": "as long as the account of the trainee",
        "focus_areas_set": "as long as the account of the person who practises",
    },
    export=_export,
    export_take=_export_take,
    handed_out={
        "practice.coachtask.person": "coach_tasks",
        "practice.coachtask.set_by": "coach_tasks_set",
        "practice.coachingsession.person": "coaching_sessions",
        "practice.coachingsession.coach": "coaching_sessions_noted",
        "practice.exercisedone.user": "exercises_done",
        "practice.focusarea.person": "focus_areas",
        "practice.practicereminder.person": "practice_reminder",
        "practice.focusarea.set_by": "focus_areas_set",
    },
    erase=_erase,
)
