"""Values of the list of people: filters, rows and the acts on selected people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from coach.accounts.models import Membership, Role, User
from coach.lib.pages.paging import Paging, page_of
from coach.lib.words.dates import written
from coach.notices.models import Bounce
from coach.portal.models import Invitation
from coach.portal.people.forms import ActForm, FilterForm
from coach.portal.people.selectors import is_unused, people_in

PAGE_SIZE = 50
"""People on one page: a class (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """One person in words."""

    key: int
    name: str
    email: str
    roles: str
    groups: Sequence[str]
    state: str
    is_open: bool
    """Whether the account is in use, neither closed nor only invited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage:
    """One page of the list of people."""

    rows: Sequence[PersonRow]
    paging: Paging
    filters: FilterForm
    act: ActForm
    is_filtered: bool
    query: str
    """The filters as a query string, which an act leads back to."""


def people_page(request: HttpRequest, user: User) -> PeoplePage:
    """Return the requested page of the people that match the filters."""
    filters = FilterForm(request.GET, user=user)
    filters.full_clean()
    people, paging = page_of(request, people_in(user, **filters.wanted()), size=PAGE_SIZE)
    return PeoplePage(
        rows=[_row(person, user) for person in people],
        paging=paging,
        filters=filters,
        act=ActForm(user=user),
        is_filtered=any(filters.wanted().values()),
        query=request.GET.urlencode(),
    )


def _row(person: User, user: User) -> PersonRow:
    # An administrator of departments sees the roles in these groups alone.
    groups = person.memberships.all()
    roles = person.roles if user.is_staff else sorted({each.role for each in groups})
    return PersonRow(
        key=person.pk,
        name=str(person),
        email=person.email,
        roles=", ".join(str(Role(each).label) for each in roles),
        groups=[_group(each) for each in groups],
        state=_state(person),
        is_open=person.is_active and not is_unused(person),
    )


def _group(membership: Membership) -> str:
    name = membership.cohort.name
    if membership.role == Role.COACH:
        return _("%(group)s (coach)") % {"group": name}
    return name


def _state(person: User) -> str:
    """Return the state of an account in words."""
    if not person.is_active:
        return _("Closed")
    bounce: Bounce | None = getattr(person, "bounce", None)
    if bounce and bounce.address == person.email:
        return _("Emails come back (%(status)s)") % {"status": bounce.status}
    if not is_unused(person):
        return _("Active")
    invitation: Invitation | None = getattr(person, "invitation", None)
    if invitation is None:
        return _("Not signed in yet")
    if invitation.refused_at:
        return _("The address was refused")
    if invitation.mailed_at is None:
        return _("Invitation on its way")
    return _("Invited on %(day)s") % {"day": written(invitation.mailed_at, "j F")}
