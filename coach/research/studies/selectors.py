"""Reading studies: members see theirs; whose a pseudonym is stands behind a door of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet

from analysis.weights import CATALOGUE
from coach.accounts.models import User
from coach.rehearsals.models import Rehearsal
from coach.research.studies.models import (
    AnswerSheet,
    ConsentDocument,
    ConsentEvent,
    Member,
    Participant,
    Pseudonym,
    Questionnaire,
    Scope,
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


def leads(user: User, study: Study) -> bool:
    """Whether they may change it and say who works on it."""
    member = member_of(user, study)
    return member is not None and member.role == Member.Role.LEAD


def may_export(user: User, study: Study) -> bool:
    """Whether they may have its data."""
    member = member_of(user, study)
    return member is not None and member.role in {Member.Role.LEAD, Member.Role.ANALYST}


def may_redact(user: User, study: Study) -> bool:
    """Whether they may read interviews with names in them, to take the names out."""
    member = member_of(user, study)
    return member is not None and member.role in {Member.Role.LEAD, Member.Role.REDACTOR}


def sees_allocation(user: User, study: Study) -> bool:
    """Whether letters have meanings for them: never before the end but for who allocates."""
    member = member_of(user, study)
    if member is None:
        return False
    is_open = not study.is_blinded or study.unblinded_at is not None
    return is_open or member.role == Member.Role.ALLOCATOR


def weights_now() -> dict[str, str]:
    """The models that this site reads with, by their names, with the SHA-256 of their weights."""
    return {each.name: each.files[0].sha256 for each in CATALOGUE}


def changed_weights(study: Study) -> list[str]:
    """Models that this site reads with other weights than the study was promised.

    Weights come with the site's version: they cannot be held while it is brought up to date.
    """
    now = weights_now()
    return sorted(name for name, digest in study.weights.items() if now.get(name) != digest)


def read_with_other_weights(study: Study, models: Mapping[str, str]) -> bool:
    """Whether a take was read (`models`: names with digests) otherwise than the study promised.

    What a model was converted to has a digest of its own, which says nothing.
    """
    pinned, now = study.weights, weights_now()
    if not pinned:
        return False
    return any(
        pinned[name] != digest if name in pinned else name in now for name, digest in models.items()
    )


def studies_open_to(user: User) -> QuerySet[Study]:
    """Studies that somebody may take part in, or does: of their groups, while they run."""
    of_mine = Q(state=Study.State.RUNNING, cohorts__memberships__user=user)
    taking_part = Q(pk__in=Pseudonym.objects.filter(user=user).values("study"))
    return Study.objects.filter(of_mine | taking_part).distinct()


def participant_of(user: User, study: Study) -> Participant | None:
    """Somebody's own part in a study; None where they have none, or left it."""
    link = Pseudonym.objects.filter(user=user, study=study).select_related("participant").first()
    return link.participant if link else None


def participant_called(study: Study, who: str) -> Participant | None:
    """Somebody who takes part now, by their address here or their pseudonym. Tells neither."""
    people = Participant.objects.filter(study=study, withdrawn_at=None)
    by_address = Q(link__user__email__iexact=who.strip())
    return people.filter(by_address | Q(pseudonym__iexact=who.strip())).first()


def sheets_for(study: Study, language: str) -> list[ConsentDocument]:
    """The newest sheet of each scope, in this language where there is one, else in the first."""
    newest: dict[str, ConsentDocument] = {}
    for each in study.documents.order_by("version", "language"):
        before = newest.get(each.scope)
        is_later = before is None or each.version > before.version
        if is_later or each.language == language:
            newest[each.scope] = each
    return [newest[scope] for scope in Scope.values if scope in newest]


def questionnaires_for(participant: Participant, language: str) -> list[Questionnaire]:
    """What somebody has not answered yet: before at once, after once the study has a take."""
    answered = AnswerSheet.objects.filter(participant=participant).values_list(
        "questionnaire__key", "questionnaire__moment"
    )
    done = set(answered)
    waiting = [
        each
        for each in participant.study.questionnaires.all()
        if (each.key, each.moment) not in done
        and (each.moment == Questionnaire.Occasion.BEFORE or _has_a_take(participant))
    ]
    # One of a kind: in their language, else in another.
    chosen = {(each.key, each.moment): each for each in waiting}
    chosen |= {(each.key, each.moment): each for each in waiting if each.language == language}
    return list(chosen.values())


def _has_a_take(participant: Participant) -> bool:
    owner = Pseudonym.objects.filter(participant=participant).values("user")
    since = participant.joined_at
    return Rehearsal.objects.filter(owner__in=owner, created_at__gte=since).exists()


def participations_of(user: User) -> QuerySet[Participant]:
    """In which studies somebody takes part, or took part: for themselves alone."""
    mine = Pseudonym.objects.filter(user=user).values("participant")
    return Participant.objects.filter(pk__in=mine).select_related("study")


def taking_part(user: User) -> list[dict[str, Any]]:
    """What the studies know of somebody: who they are there, consents, answers."""
    return [
        {
            "study": each.study.title,
            "pseudonym": each.pseudonym,
            "group": each.group,
            "cohort": each.cohort,
            "experience": each.experience,
            "language": each.practice_language,
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
