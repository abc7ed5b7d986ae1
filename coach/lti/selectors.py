"""Queries about LTI: platforms and courses for administrators, one's own accounts, and links."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import Cohort, User
from coach.assignments.models import Assignment
from coach.assignments.selectors import set_assignments_for
from coach.lti.models import Completion, Course, Platform, PlatformAccount

_MOST_LINKS = 100
_MOST_PROBLEMS = 20


def platforms_for(user: User) -> QuerySet[Platform]:
    """Return the platforms of the site, for administrators."""
    return Platform.objects.all() if user.is_staff else Platform.objects.none()


def courses_for(user: User) -> QuerySet[Course]:
    """Return the courses from which people came, for administrators."""
    found = Course.objects.select_related("cohort", "platform")
    return found if user.is_staff else found.none()


def courses_with_members(cohort: Cohort) -> QuerySet[Course]:
    """Return the courses of a group whose members can be fetched, for those who administer it."""
    found = Course.objects.filter(cohort=cohort, platform__is_active=True)
    return found.exclude(members_url="").select_related("platform")


def platform_accounts_for(user: User) -> QuerySet[PlatformAccount]:
    """Return the person's own accounts at platforms."""
    return PlatformAccount.objects.filter(person=user).select_related("platform", "person")


def links_for(user: User, course: Course) -> list[Assignment]:
    """Return the assignments to which the user may make a link: published ones of the group of the
    course, if they coach it.
    """
    if course.cohort_id is None:
        return []
    found = set_assignments_for(user).filter(
        cohort=course.cohort_id,
        published_at__isnull=False,
        archived_at=None,
        cohort__archived_at=None,
    )
    return list(found.order_by("due_at", "pk")[:_MOST_LINKS])


def problems_of(platform: Platform) -> QuerySet[Completion]:
    """Return progress that could not be passed back, newest first."""
    failed = Completion.objects.filter(account__platform=platform).exclude(
        outcome__in=["", Completion.Outcome.DELIVERED]
    )
    return failed.select_related("account__person", "assignment").order_by("-pk")[:_MOST_PROBLEMS]


def open_groups() -> QuerySet[Cohort]:
    """Return the groups that take new people."""
    return Cohort.objects.filter(archived_at=None).order_by("name", "pk")
