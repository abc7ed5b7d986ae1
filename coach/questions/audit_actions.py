"""Audit log labels for actions on questions after a talk."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

register_acts(
    {
        "questions.begun": gettext_lazy("Began questions after a talk"),
        "questions.answered": gettext_lazy("Answered a question after a talk"),
        "questions.skipped": gettext_lazy("Skipped a question after a talk"),
        "questions.asked_again": gettext_lazy("Deleted an answer to record it again"),
        "questions.shared": gettext_lazy("Changed whether their coach can listen to answers"),
        "questions.deleted": gettext_lazy("Deleted questions after a talk, with their answers"),
        "questions.commented": gettext_lazy("Commented on an answer"),
        "questions.written": gettext_lazy("Wrote a question for a talk or group"),
        "questions.rewritten": gettext_lazy("Changed a written question"),
        "questions.archived": gettext_lazy("Archived a written question"),
        "questions.restored": gettext_lazy("Restored a written question"),
    },
)
