"""Queries about what a person administers: the whole site, or the groups of departments.

Every page for administrators of departments asks here, and nowhere else.
"""

from __future__ import annotations

from typing import Any, Final

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from coach.accounts.departments import Department
from coach.accounts.models import Cohort, Membership, Role, User
from coach.audit.models import Entry

SITE_ROLES: Final = (Role.CURATOR, Role.RESEARCHER, Role.ADMINISTRATOR)
"""Roles that belong to no group: an account with one of them is for the site's administrators."""


_ON_GROUPS: Final = tuple(
    f"accounts.{each}"
    for each in (
        *("cohort_added", "cohort_changed", "cohort_archived", "cohort_reopened"),
        *("code_made", "code_ended"),
    )
)
_IN_GROUPS: Final = ("accounts.joined", "accounts.left", "accounts.lead_changed")
"""Acts on people whose detail names the group."""
_ON_ACCOUNTS: Final = (
    "accounts.person_added",
    "accounts.invited",
    "accounts.access_changed",
    "accounts.second_factor_reset",
)


def departments_for(user: User) -> QuerySet[Department]:
    """Return the departments that the person administers, by name: open ones, or all of them for
    an administrator of the site.
    """
    found = Department.objects.order_by("name", "pk")
    if user.is_staff:
        return found
    return found.filter(administrators__user=user, closed_at=None)


def administered_groups_for(user: User) -> QuerySet[Cohort]:
    """Return the groups that the person administers."""
    if user.is_staff:
        return Cohort.objects.all()
    return Cohort.objects.filter(department__in=departments_for(user).order_by().values("pk"))


def open_groups_for(user: User) -> QuerySet[Cohort]:
    """Return the groups to which the person may add people, by name."""
    return administered_groups_for(user).filter(archived_at=None).order_by("name", "pk")


def administered_people_for(user: User) -> QuerySet[User]:
    """Return the people whom the person administers: those in the groups."""
    if user.is_staff:
        return User.objects.all()
    return User.objects.filter(Exists(_memberships_for(user)))


def administered_accounts_for(user: User) -> QuerySet[User]:
    """Return the people whose account the person may close, reopen or withdraw.

    For an administrator of departments: people without a group elsewhere and without a role on the
    whole site.
    """
    if user.is_staff:
        return User.objects.all()
    groups = administered_groups_for(user).values("pk")
    elsewhere = Membership.objects.filter(user=OuterRef("pk")).exclude(cohort__in=groups)
    found = administered_people_for(user).filter(~Exists(elsewhere), is_staff=False)
    return found.filter(administers_departments=False).exclude(roles__overlap=list(SITE_ROLES))


def entries_for(user: User) -> QuerySet[Entry]:
    """Return the audit log entries about the groups of a person, and people in them, newest first.

    An entry that names a group is left out if a group elsewhere has the same name.
    """
    groups = administered_groups_for(user)
    others = Cohort.objects.exclude(pk__in=groups.values("pk")).filter(name=OuterRef("name"))
    own_names = list(groups.filter(~Exists(others)).values_list("name", flat=True))
    return Entry.objects.filter(
        Q(action__in=_ON_GROUPS, object_type="accounts.cohort", object_id__in=_keys(groups))
        | Q(action__in=_IN_GROUPS, detail__cohort__in=own_names)
        | Q(
            action__in=_ON_ACCOUNTS,
            object_type="accounts.user",
            object_id__in=_keys(administered_accounts_for(user)),
        )
    ).select_related("actor")


def _keys(rows: QuerySet[Any]) -> QuerySet[Any, str]:
    return rows.order_by().values_list(Cast(F("pk"), CharField()), flat=True)


def _memberships_for(user: User) -> QuerySet[Membership]:
    groups = administered_groups_for(user).values("pk")
    return Membership.objects.filter(user=OuterRef("pk"), cohort__in=groups)
