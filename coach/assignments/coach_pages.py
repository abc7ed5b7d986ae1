"""Values of the coach's pages: assignments of their groups, and who has practised what.

Plain counts and states only: no score, and nobody is ranked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from coach.accounts.models import Cohort, User
from coach.assignments.models import Assignment, AssignmentPartner
from coach.assignments.progress import Progress, WorkState
from coach.assignments.selectors import (
    Person,
    groups_to_set_for,
    people_in,
    progress_in,
    set_assignments_for,
)
from coach.assignments.words import asked_words, due_words, plan_words, state_tone
from coach.lib.pages.paging import Paging, page_of
from coach.lib.words.dates import date_words
from coach.practice.exercises.catalogue import exercises
from coach.rehearsals.selectors import shared_rehearsals_for

PEOPLE_A_PAGE = 50
_MOST_LISTED = 100
_MOST_GROUPS = 50
_MOST_DIGITS = 10
"""Assignments and groups on the list, and digits of a key (rules of thumb)."""

CSV_COLUMNS = (
    *("name", "state", "takes", "takes_wanted", "slides", "answers"),
    *("handed_in_at", "take", "together_with", "due_at", "extension", "in_group"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAssignmentRow:
    """One assignment in the coach's list."""

    title: str
    url: str
    due: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRows:
    """A group with its assignments, latest due first."""

    group: Cohort
    rows: tuple[SetAssignmentRow, ...]
    new_url: str
    """Empty for an archived group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """One trainee's state."""

    name: str
    state: str
    tone: str
    takes: str
    extras: str
    """Slides and answers, if they are asked for."""
    handed_in: str
    together: str
    desk_url: str
    """The review page, where the reader may open the take."""
    extension: str
    extend_url: str
    """Empty for somebody who left the group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAssignmentPage:
    """One assignment as its coach reads it."""

    assignment: Assignment
    due: str
    closes: str
    plan: str
    asked: tuple[str, ...]
    exercises: tuple[str, ...]
    state: str
    counts: tuple[tuple[str, int], ...]
    """How many people are in each state, of all the group."""
    rows: tuple[PersonRow, ...]
    paging: Paging


def set_assignments_page(user: User, *, group: str = "") -> tuple[GroupRows, ...]:
    """Return the user's groups, those of now first, with their assignments.

    `group` is the key of the only one to show: an administrator may have hundreds.
    """
    asked = groups_to_set_for(user)
    if group.isdecimal() and len(group) < _MOST_DIGITS:
        asked = asked.filter(pk=int(group))
    groups = sorted(asked[:_MOST_GROUPS], key=lambda each: each.archived_at is not None)
    found = set_assignments_for(user).filter(cohort__in=groups)[:_MOST_LISTED]
    by_group: dict[int, list[Assignment]] = {}
    for each in found:
        by_group.setdefault(each.cohort_id, []).append(each)
    return tuple(
        GroupRows(
            group=group,
            rows=tuple(map(_row, by_group.get(group.pk, []))),
            new_url="" if group.archived_at else reverse("review:new_assignment", args=[group.pk]),
        )
        for group in groups
    )


def _row(assignment: Assignment) -> SetAssignmentRow:
    return SetAssignmentRow(
        title=assignment.title,
        url=reverse("review:assignment", args=[assignment.pk]),
        due=due_words(assignment.due_at, assignment.cohort),
        state=_standing(assignment),
        tone="done" if assignment.is_published else "",
    )


def _standing(assignment: Assignment) -> str:
    if assignment.archived_at is not None:
        return pgettext("an assignment", "Withdrawn")
    if assignment.published_at:
        return pgettext("an assignment", "Published")
    return pgettext("an assignment", "Draft")


def set_assignment_page(
    request: HttpRequest, user: User, assignment: Assignment
) -> SetAssignmentPage:
    """Return one assignment with a page of its people and the counts of all."""
    everybody = people_in(assignment)
    people, paging = page_of(request, everybody, size=PEOPLE_A_PAGE)
    shown = progress_in(assignment, people)
    is_whole = not paging.is_needed
    states = Counter(each.state for each in (shown if is_whole else _all(assignment)))
    known = exercises()
    return SetAssignmentPage(
        assignment=assignment,
        due=due_words(assignment.due_at, assignment.cohort),
        closes=due_words(assignment.due_at + assignment.grace, assignment.cohort)
        if assignment.grace_hours
        else "",
        plan=plan_words(assignment),
        asked=asked_words(assignment),
        exercises=tuple(known[each].words.title for each in assignment.exercises if each in known),
        state=_standing(assignment),
        counts=tuple((str(each.label), states[each]) for each in WorkState if states[each]),
        rows=tuple(_people_rows(user, assignment, shown, people)),
        paging=paging,
    )


def _all(assignment: Assignment) -> list[Progress]:
    return progress_in(assignment, people_in(assignment))


def _people_rows(
    user: User, assignment: Assignment, shown: Sequence[Progress], people: Iterable[Person]
) -> Iterator[PersonRow]:
    works = [each.handed_in for each in shown if each.handed_in is not None]
    takes = [work.take_id for work in works if work.take_id]
    open_to_them = set(
        shared_rehearsals_for(user)
        .filter(pk__in=takes, feedback__isnull=False)
        .values_list("pk", flat=True)
    )
    here = {person.pk for person in people if person.is_member}
    together = _together(assignment)
    for each in shown:
        yield _person_row(
            assignment,
            each,
            open_to_them,
            is_here=each.person.pk in here,
            others=together.get(each.person.pk, ()),
        )


def _together(assignment: Assignment) -> dict[int, list[str]]:
    """Return the names of the people with whom each person hands in."""
    if assignment.most_together < 2:
        return {}
    agreed = AssignmentPartner.objects.filter(
        work__assignment=assignment, agreed_at__isnull=False
    ).select_related("person", "work__person")
    groups: dict[UUID, list[User]] = {}
    for partner in agreed:
        groups.setdefault(partner.work_id, [partner.work.person]).append(partner.person)
    return {
        person.pk: [str(other) for other in people if other != person]
        for people in groups.values()
        for person in people
    }


def _person_row(
    assignment: Assignment,
    progress: Progress,
    open_to_them: Collection[UUID],
    *,
    is_here: bool,
    others: Sequence[str],
) -> PersonRow:
    work, person, handed_in = progress.work, progress.person, progress.handed_in
    take = handed_in.take_id if handed_in and progress.is_handed_in else None
    at = handed_in.handed_in_at if handed_in else None
    return PersonRow(
        name=str(person) if is_here else _("%(name)s (left the group)") % {"name": person},
        state=str(progress.state.label),
        tone=state_tone(progress),
        takes=f"{progress.takes} / {assignment.takes_wanted}",
        extras=" · ".join(_extras(progress)),
        handed_in=date_words(at) if at else "",
        together=_("with %(names)s") % {"names": ", ".join(others)} if others else "",
        desk_url=reverse("review:desk", args=[take]) if take in open_to_them else "",
        extension=due_words(work.due_at, assignment.cohort) if work and work.due_at else "",
        extend_url=reverse("review:extend_assignment", args=[assignment.pk, person.pk])
        if is_here
        else "",
    )


def _extras(progress: Progress) -> Iterator[str]:
    if progress.assignment.needs_slides:
        yield _("with slides") if progress.has_slides else _("no slides yet")
    if progress.assignment.needs_answers:
        yield _("with answers") if progress.has_answers else _("no answers yet")


def csv_rows(assignment: Assignment) -> Iterator[dict[str, Any]]:
    """Yield a row for each person; times are UTC, states are codes."""
    people = list(people_in(assignment))
    here = {person.pk for person in people if person.is_member}
    together = _together(assignment)
    for progress in progress_in(assignment, people):
        work, handed_in = progress.work, progress.handed_in
        at = handed_in.handed_in_at if handed_in else None
        yield {
            "name": progress.person.name,
            "state": progress.state.value,
            "takes": progress.takes,
            "takes_wanted": assignment.takes_wanted,
            "slides": progress.has_slides,
            "answers": progress.has_answers,
            "handed_in_at": at.isoformat() if at else None,
            "take": handed_in.take_number if handed_in else None,
            "together_with": ", ".join(together.get(progress.person.pk, ())),
            "due_at": progress.due.isoformat(),
            "extension": work.extension_reason if work else "",
            "in_group": progress.person.pk in here,
        }
