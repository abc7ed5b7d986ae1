"""Personal data of questions after a talk."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from coach.accounts.models import User
from coach.lib.personal_data import PersonalData
from coach.lib.words.placeholder_names import FORMER_COACH
from coach.questions.models import AskedQuestion, WrittenQuestion
from coach.rehearsals.models import Rehearsal


def _export(user: User) -> dict[str, Any]:
    written = WrittenQuestion.objects.filter(author=user)
    commented = AskedQuestion.objects.filter(commented_by=user)
    return {
        "questions_written": list(
            written.values("kind", "language", "text", "created_at", "archived_at")
        ),
        "comments_on_answers": list(commented.values("comment", "commented_at")),
    }


def _erase(user: User) -> int:
    """Replace the name of an erased coach at comments on others' answers."""
    commented = AskedQuestion.objects.filter(commented_by=user)
    return commented.update(commented_by=None, commented_by_name=FORMER_COACH)


def _export_take(take: Rehearsal) -> dict[str, Any]:
    return {
        "question_sessions": [
            {
                "began": session.created_at,
                "language": session.language,
                "coach_may_listen": session.coach_may_listen,
                "questions": [
                    _question(each) for each in session.questions.select_related("answer")
                ],
            }
            for session in take.question_sessions.prefetch_related("questions")
        ]
    }


def _question(asked: AskedQuestion) -> dict[str, Any]:
    answer = asked.answer
    url = reverse("questions:recording", args=[asked.pk]) if answer else ""
    return {
        "question": asked.text,
        "kind": asked.kind,
        "source": asked.source,
        "about": asked.quote,
        "skipped": asked.skipped_at,
        "answered": answer and answer.created_at,
        "recording": "" if answer is None or answer.media_removed_at else url,
        "comment": asked.comment,
        "commented_by": asked.commented_by_name,
        "commented": asked.commented_at,
    }


PERSONAL_DATA = PersonalData(
    app="questions",
    kept={
        "questions_written": "as long as the account; those for a talk as long as the talk",
        "comments_on_answers": "as long as the take of the person who answered",
    },
    export=_export,
    export_take=_export_take,
    handed_out={
        "questions.writtenquestion.author": "questions_written",
        "questions.askedquestion.commented_by": "comments_on_answers",
    },
    erase=_erase,
)
