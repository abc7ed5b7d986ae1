"""Services for LTI: platforms, their courses, people's accounts there, and who joins a group."""

from __future__ import annotations

import logging
from typing import Any
from uuid import UUID

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Language, Role, User
from coach.accounts.oidc.selectors import provider_accounts_for
from coach.accounts.people import add_person, join_cohort
from coach.assignments.selectors import assignments_for
from coach.audit.services import record_act
from coach.lti.messages import Message
from coach.lti.models import Completion, Course, Platform, PlatformAccount
from coach.webhooks.addresses import NotPublic, check_literal

log = logging.getLogger(__name__)

MOST_PLATFORMS = 20
MOST_COURSES = 2000
"""Platforms of a site, and courses of one (rules of thumb)."""


@transaction.atomic
def save_platform(*, platform: Platform, actor: User) -> None:
    """Save a new or changed platform. Raises ValidationError."""
    is_new = platform._state.adding  # noqa: SLF001  # Django's public, underscored API
    if is_new and Platform.objects.count() >= MOST_PLATFORMS:
        raise ValidationError(_("There are many learning platforms already. Delete one first."))
    if is_new:
        platform.added_by = actor
    platform.full_clean()
    platform.save()
    record_act(
        action="lti.platform_added" if is_new else "lti.platform_changed",
        target=platform,
        actor=actor,
        issuer=platform.issuer,
    )


@transaction.atomic
def delete_platform(*, platform: Platform, actor: User) -> None:
    """Delete a platform with its courses and accounts; people, groups and takes stay."""
    record_act(action="lti.platform_deleted", target=platform, actor=actor, issuer=platform.issuer)
    platform.delete()


@transaction.atomic
def map_course(*, course: Course, cohort: Cohort | None, actor: User) -> None:
    """Choose the group that people of a course join; None if they join none."""
    if course.cohort == cohort:
        return
    course.cohort = cohort
    course.save(update_fields=["cohort", "seen_at"])
    name = cohort.name if cohort else ""
    record_act(action="lti.course_mapped", target=course, actor=actor, cohort=name)


@transaction.atomic
def note_course(*, platform: Platform, message: Message) -> Course | None:
    """Return the course of a message, noted for administrators; None if it names none."""
    if not message.context_id:
        return None
    key: dict[str, Any] = {"deployment_id": message.deployment_id, "context_id": message.context_id}
    is_known = platform.courses.filter(**key).exists()
    if not is_known and platform.courses.count() >= MOST_COURSES:
        log.warning("a learning platform has too many courses: a new one is not noted")
        return None
    said = {"title": message.context_title}
    if _is_public(message.members_url):
        said["members_url"] = message.members_url
    course, _is_new = Course.objects.update_or_create(platform=platform, defaults=said, **key)
    return course


@transaction.atomic
def make_account(*, address: str, name: str, role: Role) -> User:
    """Create an account without a password for somebody whom a platform states."""
    language = get_language() or Language.ENGLISH
    return add_person(address=address, name=name, roles=[role], language=language)


@transaction.atomic
def connect_account(
    *, platform: Platform, subject: str, person: User, is_told: bool = False
) -> PlatformAccount:
    """Connect an account at a platform, which signs the person in from now on.

    They get an email if `is_told`. Raises ValidationError if it belongs to somebody else.
    """
    account, is_new = PlatformAccount.objects.select_related("person").get_or_create(
        platform=platform, subject=subject, defaults={"person": person}
    )
    if account.person_id != person.pk:
        raise ValidationError(_("This account of the platform belongs to another account here."))
    if is_new:
        record_act(action="lti.account_connected", target=person, actor=person, name=platform.name)
        if is_told:
            get_adapter().send_notification_mail("oidc/connected", person)
    return account


@transaction.atomic
def disconnect_account(*, account: PlatformAccount, actor: User) -> None:
    """Disconnect an account at a platform. Raises ValidationError for a person who then could not
    sign in.
    """
    person = account.person
    others = person.platform_accounts.exclude(pk=account.pk)
    is_left_out = not others.exists() and not provider_accounts_for(person).exists()
    if is_left_out and not person.has_usable_password():
        raise ValidationError(_("Choose a password first, so that you can still sign in."))
    record_act(
        action="lti.account_disconnected", target=person, actor=actor, name=account.platform.name
    )
    account.delete()


@transaction.atomic
def follow_course(*, person: User, course: Course | None, role: Role | None) -> None:
    """Add the person to the group of the course, with the role that the platform may give.

    An administrator never becomes a coach this way: that opens recordings, and needs a reason.
    """
    cohort = course.cohort if course else None
    if course is None or cohort is None or cohort.archived_at or role is None:
        return
    if role == Role.COACH and (person.can_manage_people or not course.platform.makes_coaches):
        return
    if not person.memberships.filter(cohort=cohort, role=role).exists():
        join_cohort(person=person, cohort=cohort, role=role, actor=None)


@transaction.atomic
def note_column(*, account: PlatformAccount, assignment_id: UUID, url: str) -> None:
    """Note where progress in an assignment goes, for a trainee who opened it from a course."""
    assignment = assignments_for(account.person).filter(pk=assignment_id).first()
    if assignment is not None and _is_public(url):
        Completion.objects.get_or_create(account=account, assignment=assignment, url=url)


def _is_public(url: str) -> bool:
    try:
        check_literal(url)
    except NotPublic:
        return False
    return True
