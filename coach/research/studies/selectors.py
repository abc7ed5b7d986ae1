"""Reading studies: members see theirs; whose a pseudonym is stands behind a door of its own."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.research.studies.models import (
    AnswerSheet,
    ConsentEvent,
    Member,
    Participant,
    Pseudonym,
    Study,
)


def studies_for(user: User) -> QuerySet[Study]:
    """The studies that a researcher is a member of; nothing for anybody else."""
    if not user.can_research:
        return Study.objects.none()
    return Study.objects.filter(members__user=user)


def member_of(user: User, study: Study) -> Member | None:
    """A researcher's part in a study; None where they have none, or are no researcher any more."""
    if not user.can_research:
        return None
    return Member.objects.filter(study=study, user=user).first()


def participations_of(user: User) -> QuerySet[Participant]:
    """In which studies somebody takes part, or took part: for themselves alone."""
    mine = Pseudonym.objects.filter(user=user).values("participant")
    return Participant.objects.filter(pk__in=mine).select_related("study")


def taking_part(user: User) -> list[dict[str, Any]]:
    """What the studies know of somebody: consents, answers, condition once it is no secret."""
    return [
        {
            "study": each.study.title,
            "pseudonym": each.pseudonym,
            "joined_at": each.joined_at,
            "withdrawn_at": each.withdrawn_at,
            "consents": list(
                ConsentEvent.objects.filter(participant=each).values(
                    "scope", "kind", "document__version", "at"
                )
            ),
            "answers": list(
                AnswerSheet.objects.filter(participant=each).values(
                    "questionnaire__title",
                    "sent_at",
                    "answers__question__text",
                    "answers__number",
                    "answers__text",
                )
            ),
        }
        for each in participations_of(user)
    ]
