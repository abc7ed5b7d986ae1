"""The personal data in feedback: reports and items of takes, and actions of coaches."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.models import (
    Correction,
    DeskAct,
    Dispute,
    Feedback,
    Item,
    Question,
    TimedNote,
    Verdict,
)
from coach.feedback.notes import notes_for_reading
from coach.feedback.selectors import feedback_for_owner, latest_feedback, latest_report_run
from coach.lib.personal_data import PersonalData
from coach.lib.words.placeholder_names import FORMER_COACH
from coach.rehearsals.models import Rehearsal

_CORRECTION = (
    *("kind", "event", "start", "end", "before", "after"),
    *("made_as", "made_at", "undone_at", "undone_as"),
)


def _export(user: User) -> dict[str, Any]:
    return {
        "decisions": list(
            Verdict.objects.filter(coach=user).values(
                "kind", "wording", "reason", "note", "at", "undone_at"
            )
        ),
        "notes_written": list(
            TimedNote.objects.filter(author=user).values(
                "start", "end", "text", "tag", "created_at", "changed_at", "removed_at"
            )
        ),
        "corrections_made": list(Correction.objects.filter(made_by=user).values(*_CORRECTION)),
        "desk_acts": list(
            DeskAct.objects.filter(coach=user).values("kind", "before", "after", "at", "undone_at")
        ),
        "items_written": list(Item.objects.filter(author=user).values("document", "created_at")),
        "released": list(
            Feedback.objects.filter(released_by=user).values("version", "released_at")
        ),
        "asked": list(Question.objects.filter(asker=user).values("text", "at", "withdrawn_at")),
        "answered": [
            row
            for said in (Dispute, Question)
            for row in said.objects.filter(answered_by=user).values("answer", "answered_at")
        ],
    }


def _export_take(take: Rehearsal) -> dict[str, Any]:
    run = latest_report_run(take)
    feedback = feedback_for_owner(take)
    if feedback is None and take.waits_by_choice:
        feedback = latest_feedback(take)
    return {
        "report": run.report.document if run else None,
        "feedback": [each.document for each in items_for_reading(feedback)] if feedback else [],
        "word": feedback.word if feedback and feedback.is_released else "",
        "notes": [
            {"start": note.start, "end": note.end, "text": note.text, "tag": note.tag}
            for note in notes_for_reading(feedback)
        ],
        "corrections": list(
            Correction.objects.filter(
                Q(feedback__state="released") | Q(made_as=Correction.Side.OWNER),
                feedback__rehearsal=take,
            ).values(*_CORRECTION)
        ),
        "disputes": list(
            Dispute.objects.filter(item__feedback__rehearsal=take).values(
                "reason", "note", "at", "answer", "answered_at", "withdrawn_at"
            )
        ),
        "questions": list(
            take.questions.values("asker_name", "text", "at", "answer", "answered_at")
        ),
    }


def _erase(user: User) -> int:
    """Remove a coach's name from texts, which the trainees keep unchanged. Return the row count."""
    notes = TimedNote.objects.filter(author=user).update(author_name=FORMER_COACH, author=None)
    corrections = Correction.objects.filter(made_by=user).update(
        made_by_name=FORMER_COACH, made_by=None
    )
    acts = DeskAct.objects.filter(coach=user).update(coach_name=FORMER_COACH, coach=None)
    decisions = Verdict.objects.filter(coach=user).update(coach_name=FORMER_COACH, coach=None)
    released = Feedback.objects.filter(released_by=user)
    asked = Question.objects.filter(asker=user).update(asker_name=FORMER_COACH, asker=None)
    answered = sum(
        said.objects.filter(answered_by=user).update(
            answered_by_name=FORMER_COACH, answered_by=None
        )
        for said in (Dispute, Question)
    )
    return (
        notes
        + acts
        + asked
        + answered
        + corrections
        + decisions
        + released.update(released_by_name=FORMER_COACH, released_by=None)
    )


PERSONAL_DATA = PersonalData(
    app="feedback",
    kept={
        "decisions": "as long as the take that they were made for",
        "notes_written": "as long as the take that they were written for",
        "corrections_made": "as long as the take that they were made for",
        "items_written": "as long as the take that they were written for",
        "released": "as long as the take",
        "desk_acts": "as long as the take that they were done for",
        "asked": "as long as the take",
        "answered": "as long as the take",
    },
    export=_export,
    export_take=_export_take,
    handed_out={
        "feedback.verdict.coach": "decisions",
        "feedback.timednote.author": "notes_written",
        "feedback.correction.made_by": "corrections_made",
        "feedback.item.author": "items_written",
        "feedback.deskact.coach": "desk_acts",
        "feedback.feedback.released_by": "released",
        "feedback.question.asker": "asked",
        "feedback.question.answered_by": "answered",
        "feedback.dispute.answered_by": "answered",
    },
    erase=_erase,
)
