"""Models of studies."""

from __future__ import annotations

from coach.research.studies.models.consent import ConsentDocument, ConsentEvent, Scope
from coach.research.studies.models.people import (
    Allocation,
    Condition,
    LeftOut,
    Member,
    Participant,
    Pseudonym,
)
from coach.research.studies.models.questionnaires import (
    Answer,
    AnswerSheet,
    Question,
    Questionnaire,
)
from coach.research.studies.models.study import Study, StudySecret

__all__ = [
    "Allocation",
    "Answer",
    "AnswerSheet",
    "Condition",
    "ConsentDocument",
    "ConsentEvent",
    "LeftOut",
    "Member",
    "Participant",
    "Pseudonym",
    "Question",
    "Questionnaire",
    "Scope",
    "Study",
    "StudySecret",
]
