"""Queries about studies for their members; pseudonyms have selectors of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    """Return the studies of which a researcher is a member; an empty set for other users."""
    if not user.can_research:
        return Study.objects.none()
    return Study.objects.filter(members__user=user)


def member_of(user: User, study: Study) -> Member | None:
    """Return the researcher's membership; None if they have none or are no longer a researcher."""
    if not user.can_research:
        return None
    return Member.objects.filter(study=study, user=user).first()


def leads(user: User, study: Study) -> bool:
    """Return whether the user may change the study and its members."""
    member = member_of(user, study)
    return member is not None and member.role == Member.Role.LEAD


def may_export(user: User, study: Study) -> bool:
    """Return whether the user may export the study's data."""
    member = member_of(user, study)
    return member is not None and member.role in {Member.Role.LEAD, Member.Role.ANALYST}


def may_redact(user: User, study: Study) -> bool:
    """Return whether the user may read interviews with names in order to redact them."""
    member = member_of(user, study)
    return member is not None and member.role in {Member.Role.LEAD, Member.Role.REDACTOR}


def sees_allocation(user: User, study: Study) -> bool:
    """Return whether the user may see conditions by name; while blinded, only the allocator."""
    member = member_of(user, study)
    if member is None:
        return False
    is_open = not study.is_blinded or study.unblinded_at is not None
    return is_open or member.role == Member.Role.ALLOCATOR


def weights_now() -> dict[str, str]:
    """Return this site's models by name, with the SHA-256 of their weights."""
    return {each.name: each.files[0].sha256 for each in CATALOGUE}


def changed_weights(study: Study) -> list[str]:
    """Return the models whose weights differ from those pinned by the study.

    Weights come with the site's version: they cannot be pinned across updates.
    """
    now = weights_now()
    return sorted(name for name, digest in study.weights.items() if now.get(name) != digest)


def read_with_other_weights(study: Study, models: Mapping[str, str]) -> bool:
    """Return whether a take's models (names with digests) differ from those pinned by the study.

    A converted model has a digest of its own, which is ignored.
    """
    pinned, now = study.weights, weights_now()
    if not pinned:
        return False
    return any(
        pinned[name] != digest if name in pinned else name in now for name, digest in models.items()
    )


def studies_open_to(user: User) -> QuerySet[Study]:
    """Return the running studies of the user's groups, and those they take part in."""
    of_mine = Q(state=Study.State.RUNNING, cohorts__memberships__user=user)
    taking_part = Q(pk__in=Pseudonym.objects.filter(user=user).values("study"))
    return Study.objects.filter(of_mine | taking_part).distinct()


def participant_of(user: User, study: Study) -> Participant | None:
    """Return the user's own participation; None if they never joined."""
    link = Pseudonym.objects.filter(user=user, study=study).select_related("participant").first()
    return link.participant if link else None


def participant_called(study: Study, who: str) -> Participant | None:
    """Return the current participant with this email address or pseudonym; None if there is none.

    The result does not reveal which of the two matched.
    """
    people = Participant.objects.filter(study=study, withdrawn_at=None)
    by_address = Q(link__user__email__iexact=who.strip())
    return people.filter(by_address | Q(pseudonym__iexact=who.strip())).first()


def sheets_for(study: Study, language: str) -> list[ConsentDocument]:
    """Return the newest sheet of each scope, in this language if there is one."""
    newest: dict[str, ConsentDocument] = {}
    for each in study.documents.order_by("version", "language"):
        before = newest.get(each.scope)
        is_later = before is None or each.version > before.version
        if is_later or each.language == language:
            newest[each.scope] = each
    return [newest[scope] for scope in Scope.values if scope in newest]


def newest_sheets(study: Study) -> list[ConsentDocument]:
    """Return the newest version of each scope's sheet, in each language that has it."""
    found = list(study.documents.order_by("scope", "version", "language"))
    newest = {each.scope: each.version for each in found}
    place = {scope: number for number, scope in enumerate(Scope.values)}
    there = [each for each in found if each.version == newest[each.scope]]
    return sorted(there, key=lambda each: place[each.scope])


def by_text(sheets: Iterable[ConsentDocument]) -> list[list[ConsentDocument]]:
    """Return sheets grouped by text: scopes with the same one are asked on one sheet."""
    groups: dict[tuple[str, str], list[ConsentDocument]] = {}
    for each in sheets:
        groups.setdefault((each.sha256, each.language), []).append(each)
    return list(groups.values())


def without_account(study: Study) -> list[Participant]:
    """Return current participants without an account, whose consent a researcher records."""
    linked = Pseudonym.objects.filter(study=study).values("participant")
    found = study.participants.filter(withdrawn_at=None).exclude(pk__in=linked)
    return list(found.order_by("pseudonym"))


def questionnaires_for(participant: Participant, language: str) -> list[Questionnaire]:
    """Return unanswered questionnaires: those before at once, those after once there is a take."""
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
    # One of each kind: in their language if possible.
    chosen = {(each.key, each.moment): each for each in waiting}
    chosen |= {(each.key, each.moment): each for each in waiting if each.language == language}
    return list(chosen.values())


def _has_a_take(participant: Participant) -> bool:
    owner = Pseudonym.objects.filter(participant=participant).values("user")
    since = participant.joined_at
    return Rehearsal.objects.filter(owner__in=owner, created_at__gte=since).exists()


def participations_of(user: User) -> QuerySet[Participant]:
    """Return the user's current and former participations, for themselves only."""
    mine = Pseudonym.objects.filter(user=user).values("participant")
    return Participant.objects.filter(pk__in=mine).select_related("study")


def taking_part(user: User) -> list[dict[str, Any]]:
    """Return what the studies store about a user: pseudonym, group, consents, answers."""
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
