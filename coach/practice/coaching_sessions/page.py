"""Content of the agenda for the next live session, and of the list of sessions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.items import items_for_reading
from coach.feedback.models import Feedback, Question
from coach.feedback.selectors import released_by_now
from coach.lib.words.dates import date_words
from coach.practice.coach_tasks.page import CoachTaskRow, task_rows
from coach.practice.coaching_sessions.selectors import own_notes_for
from coach.practice.models import CoachingSession
from coach.practice.plan.page import AreaRow, plan_for_coach
from coach.practice.plan.selectors import planned_takes_for
from coach.rehearsals.models import Rehearsal

MOST_TAKES = 4
"""Four takes with three cards each still fit on one printed page (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """A card that the trainee read."""

    claim: str
    suggestion: str
    is_strength: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of the trainee, and its answer."""

    text: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaTake:
    """A take since the last session: what was advised and asked."""

    title: str
    when: str
    url: str
    advised: tuple[Advised, ...]
    asked: tuple[Asked, ...]
    is_answered: bool
    """Whether feedback on it was released."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """One page for the next session with a trainee."""

    person: str
    rehearsal_id: str
    last: CoachingSession | None
    takes: tuple[AgendaTake, ...]
    more: int
    """Older takes since the last session that are not listed."""
    focuses: tuple[AreaRow, ...]
    tasks: tuple[CoachTaskRow, ...]
    """Open tasks, and those that were done since the last session."""
    sessions: tuple[CoachingSession, ...]
    """The sessions of this coach with the trainee, newest first."""


def agenda_for(coach: User, take: Rehearsal) -> Agenda:
    """Return the agenda for a session with the owner of a take that was sent to this coach."""
    sessions = tuple(own_notes_for(coach).filter(person=take.owner))
    last = sessions[0] if sessions else None
    takes = _takes_since(coach, take.owner, last)
    listed = takes[:MOST_TAKES]
    return Agenda(
        person=str(take.owner),
        rehearsal_id=str(take.pk),
        last=last,
        takes=tuple(_agenda_take(each) for each in listed),
        more=max(0, takes.count() - MOST_TAKES),
        focuses=plan_for_coach(take).areas,
        tasks=task_rows(take.owner, coach, since=_begin_of(last)),
        sessions=sessions,
    )


def _begin_of(last: CoachingSession | None) -> datetime:
    """Return the beginning of the day of the last session, or of time."""
    day = last.held_on if last else date(2000, 1, 1)
    return timezone.make_aware(datetime.combine(day, time.min))


def _takes_since(coach: User, person: User, last: CoachingSession | None) -> QuerySet[Rehearsal]:
    """Return the takes that this coach was sent since the day of the last session."""
    takes = planned_takes_for(coach).filter(owner=person).order_by("-created_at")
    return takes.filter(created_at__date__gte=last.held_on) if last else takes


def _agenda_take(take: Rehearsal) -> AgendaTake:
    feedback = released_by_now().filter(rehearsal=take).order_by("-version").first()
    return AgendaTake(
        title=take.title,
        when=date_words(take.created_at),
        url=reverse("feedback:report", args=[take.pk]),
        advised=tuple(_advised(feedback)) if feedback else (),
        asked=tuple(_asked(take)),
        is_answered=feedback is not None,
    )


def _advised(feedback: Feedback) -> Iterable[Advised]:
    for each in items_for_reading(feedback):
        yield Advised(
            claim=each.card.claim,
            suggestion=each.card.suggestion,
            is_strength=each.item.tone == "strength",
        )


def _asked(take: Rehearsal) -> Iterable[Asked]:
    questions = Question.objects.filter(rehearsal=take, withdrawn_at=None, asker=take.owner)
    for each in questions:
        yield Asked(text=each.text, answer=each.answer or _("not answered yet"))
