"""Assignments: one's own, and those that a coach or administrator sets."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from pydantic import Field

from coach.api.authentication import TokenRequest
from coach.api.scopes import Scope
from coach.api.v1.paging import Page, Paged, next_url, rows_on_page
from coach.api.v1.permission import AccessToken
from coach.api.v1.problems import answers
from coach.assignments.models import Assignment
from coach.assignments.progress import Progress
from coach.assignments.selectors import (
    assignments_for,
    own_progress_for,
    people_in,
    progress_in,
    set_assignments_for,
)

router = Router(tags=["Assignments"])

_AUTH = AccessToken(Scope.ASSIGNMENTS_READ)


class SetAssignment(Schema):
    """An assignment of a group."""

    id: UUID
    title: str
    instructions: str
    group: str
    aim: str
    audience: str
    setting: str
    time_limit: float | None = Field(description="In seconds.")
    takes_wanted: int
    goals: list[str] = Field(description="What coaches look at.")
    peers_wanted: int
    needs_slides: bool
    needs_answers: bool
    due_at: datetime
    grace_hours: int
    published_at: datetime | None
    withdrawn_at: datetime | None


class OwnAssignment(SetAssignment):
    """An assignment with one's own state."""

    state: str
    own_due_at: datetime = Field(description="With an extension, if there is one.")
    takes: int
    take_id: UUID | None = Field(description="The take that was handed in.")
    handed_in_at: datetime | None


class PersonState(Schema):
    """The state of a person in an assignment: what they did, not how well."""

    name: str
    state: str
    due_at: datetime
    takes: int
    handed_in_at: datetime | None


class AssignmentPeople(SetAssignment):
    """An assignment with the state of each person, by name."""

    people: list[PersonState]


def _fields(assignment: Assignment) -> dict[str, object]:
    names = (
        *("id", "title", "instructions", "aim", "audience", "setting", "time_limit"),
        *(
            "takes_wanted",
            "goals",
            "peers_wanted",
            "needs_slides",
            "needs_answers",
            "due_at",
            "grace_hours",
        ),
        "published_at",
    )
    own = {name: getattr(assignment, name) for name in names}
    return own | {"group": assignment.cohort.name, "withdrawn_at": assignment.archived_at}


def _own(progress: Progress) -> OwnAssignment:
    work = progress.handed_in
    return OwnAssignment.model_validate(
        {
            **_fields(progress.assignment),
            "state": progress.state.value,
            "own_due_at": progress.due,
            "takes": progress.takes,
            # The take of the person with whom one hands in is not one's own.
            "take_id": progress.work.take_id if progress.work else None,
            "handed_in_at": work.handed_in_at if work else None,
        }
    )


@router.get("/assignments", auth=_AUTH, response=answers(Page[OwnAssignment], 404))
def list_assignments(request: TokenRequest, page: Paged) -> Page[OwnAssignment]:
    """List the assignments of your groups with your own state, last due first."""
    found, cursor = rows_on_page(
        assignments_for(request.user), page, by="due_at", value=lambda each: each.due_at
    )
    own = own_progress_for(request.user, found)
    return Page(results=[_own(each) for each in own], next=next_url(request, page, cursor))


@router.get("/assignments/{uuid:assignment_id}", auth=_AUTH, response=answers(OwnAssignment, 404))
def get_assignment(request: TokenRequest, assignment_id: UUID) -> OwnAssignment:
    """Return an assignment of your group with your own state."""
    found = get_object_or_404(assignments_for(request.user), pk=assignment_id)
    return _own(own_progress_for(request.user, [found])[0])


@router.get("/assignments/set", auth=_AUTH, response=answers(Page[SetAssignment], 404))
def list_set_assignments(request: TokenRequest, page: Paged) -> Page[SetAssignment]:
    """List the assignments of the groups for which you may set some, last due first."""
    found, cursor = rows_on_page(
        set_assignments_for(request.user), page, by="due_at", value=lambda each: each.due_at
    )
    results = [SetAssignment.model_validate(_fields(each)) for each in found]
    return Page(results=results, next=next_url(request, page, cursor))


@router.get(
    "/assignments/set/{uuid:assignment_id}", auth=_AUTH, response=answers(AssignmentPeople, 404)
)
def get_set_assignment(request: TokenRequest, assignment_id: UUID) -> AssignmentPeople:
    """Return an assignment that you may set, with the state of each person."""
    found = get_object_or_404(set_assignments_for(request.user), pk=assignment_id)
    people = [_state(each) for each in progress_in(found, people_in(found))]
    return AssignmentPeople.model_validate({**_fields(found), "people": people})


def _state(progress: Progress) -> PersonState:
    work = progress.handed_in
    return PersonState(
        name=progress.person.name,
        state=progress.state.value,
        due_at=progress.due,
        takes=progress.takes,
        handed_in_at=work.handed_in_at if work else None,
    )
