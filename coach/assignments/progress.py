"""The state of each person in an assignment, from their takes, their hand-in and its review.

Nothing of it is stored: a take that is deleted or withdrawn changes the state at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Q, TextChoices
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from coach.accounts.models import User
from coach.assignments.models import Assignment, AssignmentPartner, AssignmentWork
from coach.feedback.selectors import released_by_now
from coach.questions.models import AskedQuestion
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.slides.models import Deck


class WorkState(TextChoices):
    """The state of a person in an assignment."""

    NOT_STARTED = "not_started", pgettext_lazy("an assignment", "Not started")
    PRACTISING = "practising", pgettext_lazy("an assignment", "Practising")
    HANDED_IN = "handed_in", pgettext_lazy("an assignment", "Handed in")
    HANDED_IN_LATE = "handed_in_late", pgettext_lazy("an assignment", "Handed in late")
    REVIEWED = "reviewed", pgettext_lazy("an assignment", "Reviewed")
    WITHDRAWN = "withdrawn", pgettext_lazy("an assignment", "Handed in, then withdrawn")
    MISSED = "missed", pgettext_lazy("an assignment", "Missed")


HANDED_IN = frozenset({WorkState.HANDED_IN, WorkState.HANDED_IN_LATE, WorkState.REVIEWED})
"""States in which the group's coaches have a take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """One person's state in an assignment, with the plain counts behind it."""

    assignment: Assignment
    person: User
    work: AssignmentWork | None
    state: WorkState
    takes: int
    has_slides: bool
    has_answers: bool
    """Slides with the talk, and answers to questions after one of its takes."""
    lead: AssignmentWork | None
    """The work of the person with whom this one hands in, once they have agreed."""

    @property
    def due(self) -> datetime:
        """The moment at which it is due for this person."""
        return self.work.due if self.work else self.assignment.due_at

    @property
    def handed_in(self) -> AssignmentWork | None:
        """The work with the take that was handed in: of the lead, or their own."""
        return self.lead or self.work

    @property
    def closes(self) -> datetime:
        """The moment after which no take can be handed in or taken back."""
        return self.due + self.assignment.grace

    @property
    def is_handed_in(self) -> bool:
        """Whether the group's coaches have a take."""
        return self.state in HANDED_IN

    @property
    def is_open(self) -> bool:
        """Whether a take can be handed in now."""
        return self.assignment.is_published and timezone.now() <= self.closes


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the states of many works depend on, read in one query each."""

    takes: dict[UUID, int]
    shared: frozenset[tuple[UUID, int]]
    """Takes with the group whose coaches can open them."""
    released: frozenset[UUID]
    with_slides: frozenset[UUID]
    with_answers: frozenset[UUID]
    """Talks."""


def progress_of(
    pairs: Iterable[tuple[Assignment, User, AssignmentWork | None]],
) -> list[Progress]:
    """Return the state of each pair, with a number of queries that does not grow with them."""
    pairs = list(pairs)
    leads = _leads(pairs)
    works = [work for _assignment, _person, work in pairs if work is not None]
    facts = _facts([*works, *leads.values()])
    return [_progress(*each, leads.get((each[0].pk, each[1].pk)), facts) for each in pairs]


def _leads(
    pairs: Iterable[tuple[Assignment, User, AssignmentWork | None]],
) -> dict[tuple[UUID, int], AssignmentWork]:
    """Return the works of others that count for these people, by assignment and person."""
    together = {each.pk: each for each, _person, _work in pairs if each.most_together > 1}
    if not together:
        return {}
    people = {person.pk for _assignment, person, _work in pairs}
    agreed = AssignmentPartner.objects.filter(
        work__assignment__in=together, person__in=people, agreed_at__isnull=False
    ).select_related("work__person", "work__take")
    leads = {}
    for partner in agreed:
        partner.work.assignment = together[partner.work.assignment_id]
        leads[partner.work.assignment_id, partner.person_id] = partner.work
    return leads


def _progress(
    assignment: Assignment,
    person: User,
    work: AssignmentWork | None,
    lead: AssignmentWork | None,
    facts: _Facts,
) -> Progress:
    own_or_lead = lead if lead is not None and lead.handed_in_at is not None else work
    talk = work.talk_id if work else None
    takes = facts.takes.get(talk, 0) if talk else 0
    return Progress(
        assignment=assignment,
        person=person,
        work=work,
        state=_state(assignment, own_or_lead, work, takes, facts),
        takes=takes,
        has_slides=talk in facts.with_slides,
        has_answers=talk in facts.with_answers,
        lead=lead,
    )


def _state(
    assignment: Assignment,
    handed_in: AssignmentWork | None,
    work: AssignmentWork | None,
    takes: int,
    facts: _Facts,
) -> WorkState:
    if handed_in is not None and handed_in.handed_in_at is not None:
        return _handed_in_state(assignment, handed_in, handed_in.handed_in_at, facts)
    due = work.due if work else assignment.due_at
    if timezone.now() > due + assignment.grace:
        return WorkState.MISSED
    return WorkState.PRACTISING if takes else WorkState.NOT_STARTED


def _handed_in_state(
    assignment: Assignment, work: AssignmentWork, at: datetime, facts: _Facts
) -> WorkState:
    if work.take_id is None or (work.take_id, assignment.cohort_id) not in facts.shared:
        return WorkState.WITHDRAWN
    if work.take_id in facts.released:
        return WorkState.REVIEWED
    return WorkState.HANDED_IN_LATE if at > work.due else WorkState.HANDED_IN


def _facts(works: Sequence[AssignmentWork]) -> _Facts:
    talks = {work.talk_id for work in works if work.talk_id}
    handed_in = {work.take_id for work in works if work.take_id}
    if not talks and not handed_in:
        return _Facts({}, frozenset(), frozenset(), frozenset(), frozenset())
    takes = Rehearsal.objects.filter(talk__in=talks).order_by()
    grants = AccessGrant.objects.filter(
        rehearsal__in=handed_in, cohort__isnull=False, revoked_at=None
    )
    shown = takes.filter(Q(shows_slides=True)).values_list("talk", flat=True)
    decks = Deck.objects.filter(talk__in=talks).order_by().values_list("talk", flat=True)
    answered = AskedQuestion.objects.filter(session__take__talk__in=talks, answer__isnull=False)
    released = released_by_now().filter(rehearsal__in=handed_in).order_by()
    return _Facts(
        takes=dict(takes.values_list("talk").annotate(Count("pk"))),
        shared=frozenset(grants.values_list("rehearsal", "cohort")),
        released=frozenset(released.values_list("rehearsal", flat=True)),
        with_slides=frozenset(shown.union(decks)),
        with_answers=frozenset(
            answered.order_by().values_list("session__take__talk", flat=True).distinct()
        ),
    )
