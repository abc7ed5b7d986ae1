"""Personal data of assignments."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.assignments.models import Assignment, AssignmentPartner, AssignmentWork
from coach.lib.personal_data import PersonalData


def _export(user: User) -> dict[str, Any]:
    works = AssignmentWork.objects.filter(person=user).select_related("assignment__cohort")
    partners = AssignmentPartner.objects.filter(person=user)
    written = Assignment.objects.filter(written_by=user)
    return {
        "assignments": [_work(each) for each in works],
        "assignments_together": list(
            partners.values("work__assignment__title", "created_at", "agreed_at")
        ),
        "assignments_written": list(
            written.values("title", "instructions", "due_at", "created_at", "archived_at")
        ),
    }


def _work(work: AssignmentWork) -> dict[str, Any]:
    return {
        "assignment": work.assignment.title,
        "group": work.assignment.cohort.name,
        "due": work.due,
        "extension_reason": work.extension_reason,
        "talk": work.talk_id and str(work.talk_id),
        "handed_in": work.handed_in_at,
        "take": work.take_id and str(work.take_id),
        "take_number": work.take_number,
    }


PERSONAL_DATA = PersonalData(
    app="assignments",
    kept={
        "assignments": "as long as the account, or until the group is deleted",
        "assignments_together": "as long as the account, or the other person's",
        "assignments_written": "as long as the group; without its author once they are erased",
    },
    export=_export,
    handed_out={
        "assignments.assignmentwork.person": "assignments",
        "assignments.assignmentpartner.person": "assignments_together",
        "assignments.assignment.written_by": "assignments_written",
    },
    excused={
        "assignments.assignmentwork.extended_by": "a coach's act; it stands among their acts",
    },
)
