"""Queries about people and groups that an identity provider manages, and about its tokens."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.utils import timezone

from coach.accounts.models import Membership, Role, User
from coach.accounts.provisioned import ProvisionedGroup, ProvisionedPerson
from coach.api.models import ApiToken
from coach.api.scopes import Scope


def managed_people_for(user: User) -> QuerySet[ProvisionedPerson]:
    """Return the people that the identity provider manages, for administrators."""
    found = ProvisionedPerson.objects.filter(deleted_at=None).select_related("user")
    return found if user.is_staff and user.is_active else found.none()


def managed_groups_for(user: User) -> QuerySet[ProvisionedGroup]:
    """Return the groups that the identity provider manages, for administrators."""
    found = ProvisionedGroup.objects.select_related("cohort")
    return found if user.is_staff and user.is_active else found.none()


def managed_trainees(groups: Iterable[ProvisionedGroup]) -> QuerySet[Membership]:
    """Return the memberships of managed people as trainees of these groups."""
    return Membership.objects.filter(
        cohort__in=[each.cohort_id for each in groups],
        role=Role.TRAINEE,
        user__provisioned__isnull=False,
        user__provisioned__deleted_at=None,
    ).order_by("pk")


def groups_with(person_id: str) -> Q:
    """Return the condition that a managed group has this managed person as a trainee."""
    return Q(
        cohort__memberships__role=Role.TRAINEE,
        cohort__memberships__user__provisioned__pk=person_id,
        cohort__memberships__user__provisioned__deleted_at=None,
    )


def scim_tokens_for(user: User) -> QuerySet[ApiToken]:
    """Return all tokens for SCIM that can still be used, newest first, for administrators."""
    found = ApiToken.objects.filter(
        scopes__contains=[Scope.SCIM], revoked_at=None, ends_at__gt=timezone.now()
    ).select_related("user")
    return found if user.is_staff else found.none()
