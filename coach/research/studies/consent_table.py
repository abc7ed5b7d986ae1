"""Table of the consents of a study: people and scopes, from which sheet and since when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from coach.research.studies.consent import consents_at
from coach.research.studies.models import ConsentDocument, ConsentEvent, Participant, Scope, Study
from coach.research.studies.selectors import without_account

AGREES, MISSING, WITHDRAWN = "agrees", "missing", "withdrawn"
CONSENT_STATES = (
    (MISSING, _("consent is missing")),
    (AGREES, _("consent is valid")),
    (WITHDRAWN, _("declined or withdrawn")),
)


@dataclass(frozen=True, slots=True)
class ConsentCell:
    """A person's last answer to a scope; none if they were never asked."""

    scope: str
    event: ConsentEvent | None
    state: str

    @property
    def is_outdated(self) -> bool:
        """Return whether they agreed to a sheet that has changed since."""
        return self.event is not None and self.state == MISSING


@dataclass(frozen=True, slots=True)
class ConsentRow:
    """A person with their answers, in the order of the columns."""

    person: Participant
    interviews: str
    has_account: bool
    cells: tuple[ConsentCell, ...]

    def is_shown(self, scope: str, state: str) -> bool:
        """Return whether a cell of this scope (empty: any) has this state (empty: any)."""
        if not state:
            return True
        if state == MISSING and self.person.withdrawn_at is not None:
            return False
        return any(each.state == state for each in self.cells if scope in ("", each.scope))


def asked_scopes(study: Study) -> list[Scope]:
    """Return the scopes for which the study has a sheet, in their usual order."""
    asked = set(study.documents.values_list("scope", flat=True))
    return [scope for scope in Scope if scope.value in asked]


def consent_rows(
    study: Study, scopes: Sequence[Scope], *, interview: Any = None
) -> list[ConsentRow]:
    """Return everybody who takes part or has left, by pseudonym; of one interview its speakers."""
    agrees, last = consents_at(study, timezone.now()), _last_events(study)
    people = study.participants.order_by("pseudonym")
    spoken, on_paper = _interviews(study), {each.pk for each in without_account(study)}
    if interview is not None:
        people = people.filter(pk__in=interview.speakers.values("participant"))
    return [
        ConsentRow(
            person=person,
            interviews=", ".join(f"INT-{number:02d}" for number in sorted(spoken[person.pk])),
            has_account=person.pk not in on_paper,
            cells=tuple(
                _cell(person, scope, last.get((person.pk, scope.value)), agrees) for scope in scopes
            ),
        )
        for person in people
    ]


def _cell(
    person: Participant, scope: Scope, event: ConsentEvent | None, agrees: dict[int, set[str]]
) -> ConsentCell:
    if event is not None and event.kind not in ConsentEvent.STANDING:
        return ConsentCell(scope.value, event, WITHDRAWN)
    is_valid = event is not None and scope.value in agrees.get(person.pk, ())
    return ConsentCell(scope.value, event, AGREES if is_valid else MISSING)


def _last_events(study: Study) -> dict[tuple[int, str], ConsentEvent]:
    events = ConsentEvent.objects.filter(participant__study=study).select_related("document")
    return {(each.participant_id, each.scope): each for each in events.order_by("at", "pk")}


def _interviews(study: Study) -> defaultdict[int, set[int]]:
    """Return the numbers of the interviews in which each person speaks."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for person, number in study.interviews.values_list("speakers__participant", "number"):
        if person is not None:
            found[person].add(number)
    return found


def table_counts(rows: Sequence[ConsentRow]) -> list[dict[str, Any]]:
    """Return for each column how many current participants agree."""
    here = [each for each in rows if each.person.withdrawn_at is None]
    columns = zip(*(each.cells for each in here), strict=True)
    return [
        {"agree": sum(cell.state == AGREES for cell in column), "all": len(column)}
        for column in columns
    ]


def sheet_key(group: Sequence[ConsentDocument]) -> str:
    """Return the key of a sheet in forms: another text has another one."""
    return f"{group[0].language}-{group[0].sha256}"


def sheet_words(group: Sequence[ConsentDocument]) -> str:
    """Return what a sheet asks for, with its versions and language."""
    scopes = ", ".join(str(Scope(each.scope).label) for each in group)
    version = max(each.version for each in group)
    words = gettext("%(scopes)s · version %(version)s · %(language)s")
    language = group[0].get_language_display()
    return words % {"scopes": scopes, "version": version, "language": language}
