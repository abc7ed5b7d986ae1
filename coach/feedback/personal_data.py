"""What feedback keeps of a person: reports and items on their takes; their acts as a coach."""

from __future__ import annotations

from typing import Any

from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.models import Dispute, Feedback, Item, Verdict
from coach.feedback.selectors import feedback_for_owner, latest_report_run
from coach.lib.former import FORMER_COACH
from coach.lib.personal import PersonalData
from coach.rehearsals.models import Rehearsal


def _export(user: User) -> dict[str, Any]:
    return {
        "decisions": list(
            Verdict.objects.filter(coach=user).values(
                "kind", "wording", "reason", "note", "at", "undone_at"
            )
        ),
        "items_written": list(Item.objects.filter(author=user).values("document", "created_at")),
        "released": list(
            Feedback.objects.filter(released_by=user).values("version", "released_at")
        ),
    }


def _export_take(take: Rehearsal) -> dict[str, Any]:
    run = latest_report_run(take)
    feedback = feedback_for_owner(take)
    return {
        "report": run.report.document if run else None,
        "feedback": [each.document for each in items_for_reading(feedback)] if feedback else [],
        "disputes": list(
            Dispute.objects.filter(item__feedback__rehearsal=take).values("reason", "note", "at")
        ),
    }


def _erase(user: User) -> int:
    """Decisions and released feedback stay with the trainees, word for word, without the name."""
    decisions = Verdict.objects.filter(coach=user).update(coach_name=FORMER_COACH, coach=None)
    released = Feedback.objects.filter(released_by=user)
    return decisions + released.update(released_by_name=FORMER_COACH, released_by=None)


PERSONAL_DATA = PersonalData(
    app="feedback",
    kept={
        "decisions": "as long as the take that they were made for",
        "items_written": "as long as the take that they were written for",
        "released": "as long as the take",
    },
    export=_export,
    export_take=_export_take,
    handed_out={
        "feedback.verdict.coach": "decisions",
        "feedback.item.author": "items_written",
        "feedback.feedback.released_by": "released",
    },
    erase=_erase,
)
