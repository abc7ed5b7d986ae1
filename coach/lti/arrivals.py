"""People who arrive from a course: known, new, or confirming who they are."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from allauth.account.utils import perform_login
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _

from coach.accounts.models import Role, User
from coach.assignments.selectors import assignments_for, set_assignments_for
from coach.lib.web.http import uuid_of
from coach.lti.messages import Message
from coach.lti.models import Course, Platform, PlatformAccount
from coach.lti.services import (
    connect_account,
    follow_course,
    make_account,
    note_column,
    note_course,
)

_WAITING: Final = "lti_arrival"
_SECONDS: Final = 1800
"""Time to sign in and connect an account (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A person at our door, as a checked message states them; a session can keep it."""

    platform: str
    subject: str
    name: str
    address: str
    role: str
    course: str
    assignment: str
    column: str
    at: float

    @classmethod
    def of(cls, platform: Platform, message: Message) -> Self:
        """Return the arrival of a message; its course is noted for administrators."""
        course = note_course(platform=platform, message=message)
        return cls(
            platform=str(platform.pk),
            subject=message.subject,
            name=message.name,
            address="" if message.address_is_denied else message.address,
            role=message.role or "",
            course=str(course.pk) if course else "",
            assignment=str(message.assignment or ""),
            column=message.column_url,
            at=time.time(),
        )

    def find_course(self) -> Course | None:
        """Return the course that the person comes from, if the platform named one."""
        found = Course.objects.select_related("cohort", "platform")
        return found.filter(pk=self.course).first() if self.course else None


def account_of(platform: Platform, subject: str) -> PlatformAccount | None:
    """Return the account that a platform states, if somebody connected it."""
    return platform.accounts.select_related("person").filter(subject=subject).first()


def sign_in(request: HttpRequest, platform: Platform, message: Message) -> HttpResponse:
    """Sign in the person of a message, or show what they have to do first."""
    arrival = Arrival.of(platform, message)
    account = account_of(platform, message.subject)
    if account is None:
        if why := _why_not_new(platform, arrival):
            request.session[_WAITING] = asdict(arrival)
            context = {"why": why, "platform": platform, "address": arrival.address}
            return render(request, "lti/first_time.html", context)
        try:
            account = _new(platform, arrival)
        except IntegrityError:  # a second tab of the same person was first
            account = platform.accounts.select_related("person").get(subject=arrival.subject)
    onwards = settle(request, account, arrival) if account.person.is_active else None
    answer: HttpResponse = perform_login(request, account.person, redirect_url=onwards)
    return answer


def _why_not_new(platform: Platform, arrival: Arrival) -> str:
    """Return why this person gets no new account; empty if they get one.

    As with single sign-on, nobody is connected to an account by its email address.
    """
    try:
        validate_email(arrival.address)
    except ValidationError:
        return "unverified"
    if User.objects.filter(email=arrival.address).exists():
        return "known"
    course = arrival.find_course()
    if not platform.makes_accounts or not _role_to_give(platform, arrival):
        return "closed"
    if course is None or course.cohort is None or course.cohort.archived_at is not None:
        return "unmapped"
    return ""


def _role_to_give(platform: Platform, arrival: Arrival) -> Role | None:
    if not arrival.role or (arrival.role == Role.COACH and not platform.makes_coaches):
        return None
    return Role(arrival.role)


@transaction.atomic
def _new(platform: Platform, arrival: Arrival) -> PlatformAccount:
    name = arrival.name or arrival.address.partition("@")[0]
    person = make_account(address=arrival.address, name=name, role=Role(arrival.role))
    return connect_account(platform=platform, subject=arrival.subject, person=person)


def settle(request: HttpRequest, account: PlatformAccount, arrival: Arrival) -> str:
    """Add the person to the group of the course, and return the page that they came for."""
    person, course = account.person, arrival.find_course()
    follow_course(person=person, course=course, role=Role(arrival.role) if arrival.role else None)
    assignment = uuid_of(arrival.assignment)
    if assignment is None:
        return _start(person)
    if arrival.column and arrival.role == Role.TRAINEE:
        note_column(account=account, assignment_id=assignment, url=arrival.column)
    if person.can_practise and assignments_for(person).filter(pk=assignment).exists():
        return resolve_url("assignments:assignment", assignment)
    if set_assignments_for(person).filter(pk=assignment).exists():
        return resolve_url("review:assignment", assignment)
    messages.warning(
        request,
        _("You cannot open this assignment: your course is not connected to its group here."),
    )
    return _start(person)


def _start(person: User) -> str:
    if person.can_practise:
        return resolve_url("assignments:assignments")
    return resolve_url("review:assignments" if person.can_review else "portal:home")


def waiting(request: HttpRequest) -> tuple[Platform, Arrival] | None:
    """Return the arrival that waits in this session for the person to sign in."""
    said: dict[str, Any] | None = request.session.get(_WAITING)
    if said is None or time.time() - said["at"] > _SECONDS:
        return None
    arrival = Arrival(**said)
    platform = Platform.objects.filter(pk=arrival.platform, is_active=True).first()
    return (platform, arrival) if platform else None


def connect(request: HttpRequest, person: User, platform: Platform, arrival: Arrival) -> str:
    """Connect the account that waits to the signed-in person, and return the page they came for.

    Raises ValidationError.
    """
    account = connect_account(
        platform=platform, subject=arrival.subject, person=person, is_told=True
    )
    request.session.pop(_WAITING, None)
    return settle(request, account, arrival)
