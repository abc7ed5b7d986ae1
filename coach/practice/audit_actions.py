"""Audit log labels for actions on practice."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "practice.exercise_done": gettext_lazy("Did an exercise"),
        "practice.exercise_recorded": gettext_lazy("Recorded an exercise"),
        "practice.exercise_deleted": gettext_lazy("Deleted a recorded exercise"),
        "practice.focus_chosen": gettext_lazy("Chose what to practise"),
        "practice.step_set": gettext_lazy("Changed the step of a focus"),
        "practice.focus_ended": gettext_lazy("Ended a focus"),
        "practice.session_kept": gettext_lazy("Kept notes of a live session"),
        "practice.session_changed": gettext_lazy("Changed notes of a live session"),
        "practice.session_deleted": gettext_lazy("Deleted notes of a live session"),
        "practice.task_set": gettext_lazy("Set a task for a trainee"),
        "practice.task_done": gettext_lazy("Ticked a task of their coach"),
        "practice.task_reopened": gettext_lazy("Marked a task of their coach as open again"),
        "practice.task_deleted": gettext_lazy("Deleted a task for a trainee"),
        "practice.span_begun": gettext_lazy("Started redoing part of a take"),
        "practice.span_redone": gettext_lazy("Redid part of a take"),
        "practice.span_deleted": gettext_lazy("Deleted a redone part of a take"),
        "practice.reminder_set": gettext_lazy("Set a reminder to practise"),
        "practice.reminder_deleted": gettext_lazy("Deleted their reminder to practise"),
        "practice.self_assessed": gettext_lazy("Assessed their own take"),
        "practice.self_assessment_skipped": gettext_lazy("Opened a report without assessing first"),
        "practice.self_assessment_shared": gettext_lazy(
            "Changed whether their coach can read their self-assessment"
        ),
        "practice.key_messages_set": gettext_lazy("Changed the key messages of a talk"),
        "practice.key_message_decided": gettext_lazy("Said whether a take has a key message"),
        "practice.key_message_reopened": gettext_lazy("Withdrew an answer about a key message"),
    },
    names={
        "exercise": pgettext_lazy("logged", "exercise"),
        "measure": pgettext_lazy("logged", "measure"),
    },
)
