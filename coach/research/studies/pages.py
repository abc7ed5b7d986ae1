"""Content of the study page: state, counts of people, and conditions as far as permitted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q
from django.utils import timezone

from coach.accounts.models import User
from coach.research.studies.consent import consents_at
from coach.research.studies.consent_table import sheet_words
from coach.research.studies.models import (
    Allocation,
    ConsentDocument,
    ConsentEvent,
    Member,
    Participant,
    Pseudonym,
    Questionnaire,
    Scope,
    Study,
)
from coach.research.studies.selectors import (
    by_text,
    changed_weights,
    leads,
    may_export,
    may_redact,
    sees_allocation,
    sheets_for,
)
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.selectors import active_release


@dataclass(frozen=True, kw_only=True)
class StudyPage:
    """One study, for one member."""

    study: Study
    leads: bool
    may_export: bool
    sees_allocation: bool
    members: list[Member]
    newest_rules: RuleSetRelease | None
    """The newest rule set, if the study is pinned to an older one."""
    changed_models: list[str]
    figures: dict[str, int]
    consents: list[dict[str, Any]]
    conditions: list[dict[str, Any]]
    sees_consents: bool
    sheets: list[tuple[str, ConsentDocument]]
    """Each text once, with what it asks for in words."""
    questionnaires: list[Questionnaire]
    """Each with `n_questions` and `n_sheets`, those that were answered."""


def study_page(study: Study, user: User) -> StudyPage:
    """Return counts and lists, without participants' names."""
    people = study.participants.all()
    knows, exports = sees_allocation(user, study), may_export(user, study)
    return StudyPage(
        study=study,
        leads=leads(user, study),
        may_export=exports,
        sees_allocation=knows,
        members=list(study.members.select_related("user")),
        newest_rules=_newest_rules(study),
        changed_models=changed_weights(study),
        figures={
            "people": people.filter(withdrawn_at=None).count(),
            "left": people.exclude(withdrawn_at=None).count(),
            **_words_in_use(study),
        },
        consents=_consents(study),
        conditions=_conditions(study, knows=knows),
        sees_consents=exports or may_redact(user, study),
        sheets=[
            (sheet_words(group), group[0])
            for group in by_text(study.documents.order_by("scope", "language", "-version"))
        ],
        questionnaires=list(
            study.questionnaires.annotate(
                n_questions=Count("questions", distinct=True),
                n_sheets=Count("sheets", distinct=True),
            ).order_by("-moment", "pk")  # where rows are grouped, the model's own order is not kept
        ),
    )


def _words_in_use(study: Study) -> dict[str, int]:
    """Return the numbers of interviews and codings, without withdrawn people."""
    gone = study.interviews.filter(participant__withdrawn_at__isnull=False).exclude(
        pk__in=study.interviews.filter(
            speakers__participant__isnull=False, speakers__participant__withdrawn_at=None
        )
    )
    left = Pseudonym.objects.filter(study=study, participant__withdrawn_at__isnull=False)
    in_their_turns = study.codings.filter(
        text__turns__speaker__participant__withdrawn_at__isnull=False,
        text__turns__start__lt=F("end"),
        text__turns__end__gt=F("start"),
    )
    codings = study.codings.filter(coder__kind="human").exclude(
        Q(text__interview__in=gone)
        | Q(rehearsal__owner__in=left.values("user"))
        | Q(pk__in=in_their_turns.values("pk"))
    )
    return {
        "interviews": study.interviews.exclude(pk__in=gone).count(),
        "codings": codings.count(),
    }


def _newest_rules(study: Study) -> RuleSetRelease | None:
    if study.state != Study.State.RUNNING:
        return None
    newest = active_release()
    return newest if newest != study.rule_set else None


def _consents(study: Study) -> list[dict[str, Any]]:
    """Return the number of current consents by scope."""
    gone = set(
        Participant.objects.filter(study=study)
        .exclude(withdrawn_at=None)
        .values_list("pk", flat=True)
    )
    granted = consents_at(study, timezone.now())
    counts = Counter(scope for pk, scopes in granted.items() if pk not in gone for scope in scopes)
    asked = set(study.documents.values_list("scope", flat=True))
    return [
        {"label": scope.label, "count": counts[scope.value]}
        for scope in Scope
        if scope.value in asked
    ]


def _conditions(study: Study, *, knows: bool) -> list[dict[str, Any]]:
    """Return letters with counts, and their meanings only for those who may know."""
    arms = list(study.conditions.all())
    counts = Counter(
        Allocation.objects.filter(participant__study=study).values_list("condition", flat=True)
    )
    return [
        {
            "letter": arm.letter,
            "name": arm.name if knows else "",
            "share": arm.weight,
            "people": counts[arm.pk],
        }
        for arm in arms
    ]


def condition_names(study: Study) -> list[str]:
    """Return the names of the conditions in alphabetical order, which reveals no letter."""
    return sorted(study.conditions.values_list("name", flat=True))


def asked_of(study: Study, user: User, participant: Participant | None) -> list[dict[str, Any]]:
    """Return each scope with its sheet, and the person's answer; scopes that one sheet asks for
    follow each other.
    """
    last: dict[str, ConsentEvent] = {}
    if participant is not None:
        last = {each.scope: each for each in participant.consents.select_related("document")}
    rows = []
    groups = by_text(sheets_for(study, user.language))
    for sheet, of_sheet in [(each, group) for group in groups for each in group]:
        said = last.get(sheet.scope)
        is_same = said is not None and said.document.version >= sheet.version
        rows.append(
            {
                "scope": sheet.scope,
                "label": Scope(sheet.scope).label,
                "sheet": of_sheet[0].sha256 if len(of_sheet) > 1 else "",
                "text": sheet.text,
                "language": sheet.language,
                "version": sheet.version,
                "agrees": said is not None and is_same and said.kind in ConsentEvent.STANDING,
                "declines": said is not None and said.kind not in ConsentEvent.STANDING,
                "is_changed": said is not None and not is_same,
            }
        )
    return rows
