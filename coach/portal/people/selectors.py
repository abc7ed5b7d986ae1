"""Queries about people, their state, and lists of invitations."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    TextChoices,
)
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import Cohort, Membership, User
from coach.accounts.selectors import standing_holds
from coach.portal.departments.selectors import administered_groups_for, administered_people_for
from coach.portal.models import Invitation, InvitationList

UNUSED: Final = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX, last_login=None)
"""People who have neither chosen a password nor signed in."""


def is_unused(person: User) -> bool:
    """Return whether the person has neither chosen a password nor signed in."""
    return not person.has_usable_password() and person.last_login is None


class State(TextChoices):
    """The state of an account, for the filter of the list."""

    ACTIVE = "active", _("Active")
    INVITED = "invited", _("Invited, not signed in yet")
    CLOSED = "closed", _("Closed")
    UNREACHABLE = "unreachable", _("Emails come back")


def people_in(
    user: User, *, words: str = "", role: str = "", cohort: Cohort | None = None, state: str = ""
) -> QuerySet[User]:
    """Return the people whom the user administers and who match all filters, by name, with
    invitation and groups.

    An administrator of departments sees and filters by the groups, and the roles in them, of the
    departments alone.
    """
    found = administered_people_for(user)
    memberships = Membership.objects.all()
    if not user.is_staff:
        memberships = memberships.filter(cohort__in=administered_groups_for(user))
    for word in words.split():
        found = found.filter(Q(name__icontains=word) | Q(email__icontains=word))
    if role and user.is_staff:
        found = found.filter(roles__contains=[role])
    elif role:
        found = found.filter(Exists(memberships.filter(user=OuterRef("pk"), role=role)))
    if cohort is not None:
        found = found.filter(Exists(memberships.filter(user=OuterRef("pk"), cohort=cohort)))
    if state:
        found = found.filter(_in_state(State(state)))
    shown = memberships.select_related("cohort").order_by("cohort__name", "role")
    with_groups = found.prefetch_related(Prefetch("memberships", queryset=shown))
    return with_groups.select_related("invitation", "bounce").order_by(Lower("name"), "email")


def _in_state(state: State) -> Q:
    if state is State.CLOSED:
        return Q(is_active=False)
    if state is State.UNREACHABLE:
        return Q(bounce__address=F("email"))
    return Q(is_active=True) & (UNUSED if state is State.INVITED else ~UNUSED)


def waiting_invitations(now: datetime) -> QuerySet[Invitation]:
    """Return the invitations to email now, oldest first."""
    due = Q(try_at=None) | Q(try_at__lte=now)
    return Invitation.objects.filter(due, mailed_at=None, refused_at=None, person__is_active=True)


def unused_of(made: InvitationList) -> QuerySet[User]:
    """Return the people of a list who have not used their invitation."""
    return User.objects.filter(UNUSED, is_staff=False, invitation__list=made).order_by("pk")


def people_on_hold() -> set[int]:
    """Return the keys of all people whom a legal hold covers, themselves or in a group."""
    holds = standing_holds().values_list("user", "cohort__memberships__user")
    return {key for pair in holds for key in pair if key}


def lists_for(user: User) -> QuerySet[InvitationList]:
    """Return the lists that the person may see and undo: all, or for an administrator of
    departments their own.
    """
    found = InvitationList.objects.all()
    return found if user.is_staff else found.filter(made_by=user)


def recent_lists_for(user: User, most: int = 10) -> list[InvitationList]:
    """Return the newest lists, each with its number of invitations: all, sent and used."""
    unused = Q(
        invitations__person__password__startswith=UNUSABLE_PASSWORD_PREFIX,
        invitations__person__last_login=None,
    )
    counts = {
        "invited": Count("invitations"),
        "mailed": Count("invitations", filter=Q(invitations__mailed_at__isnull=False)),
        "refused": Count("invitations", filter=Q(invitations__refused_at__isnull=False)),
        "unused": Count("invitations", filter=unused),
    }
    return list(lists_for(user).annotate(**counts).select_related("made_by")[:most])
