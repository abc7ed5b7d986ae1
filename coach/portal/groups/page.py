"""Values of the list of groups, and of the page of one group."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F
from django.http import HttpRequest
from django.urls import reverse

from coach.accounts.models import Cohort, Membership, Role, User
from coach.lib.pages.paging import Paging, page_of
from coach.lti.keys import is_on
from coach.lti.models import Course
from coach.lti.selectors import courses_with_members
from coach.portal.departments.selectors import administered_groups_for
from coach.portal.groups.forms import GroupCodeForm, RollOverForm, TermForm
from coach.portal.groups.services import unsaved_copy
from coach.portal.joining.selectors import open_codes
from coach.portal.models import GroupCode

PAGE_SIZE = 50
_MOST_CODES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """One group in the list."""

    group: Cohort
    trainees: int
    coaches: int
    has_code: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRow:
    """One code with its address and its state."""

    code: GroupCode
    shown: str
    """The code in two halves, easier to read from a wall."""
    address: str
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPage:
    """The page of one group."""

    group: Cohort
    trainees: int
    coaches: Sequence[str]
    codes: Sequence[CodeRow]
    courses: Sequence[Course]
    """Courses of learning platforms whose members can be fetched."""
    form: GroupCodeForm
    term: TermForm
    roll_over: RollOverForm


def groups_page(request: HttpRequest, user: User) -> tuple[Sequence[GroupRow], Paging]:
    """Return a page of the groups that the person administers, by name, archived ones last."""
    found = administered_groups_for(user).order_by(
        F("archived_at").desc(nulls_first=True), "name", "pk"
    )
    groups, paging = page_of(request, found, size=PAGE_SIZE)
    keys = [each.pk for each in groups]
    counted = (
        Membership.objects.filter(cohort__in=keys)
        .values_list("cohort", "role")
        .annotate(people=Count("pk"))
    )
    counts = {(cohort, role): people for cohort, role, people in counted}
    with_code = set(open_codes().filter(cohort__in=keys).values_list("cohort", flat=True))
    rows = [
        GroupRow(
            group=each,
            trainees=counts.get((each.pk, Role.TRAINEE), 0),
            coaches=counts.get((each.pk, Role.COACH), 0),
            has_code=each.pk in with_code,
        )
        for each in groups
    ]
    return rows, paging


def group_page(
    request: HttpRequest,
    group: Cohort,
    *,
    form: GroupCodeForm | None = None,
    term: TermForm | None = None,
    roll_over: RollOverForm | None = None,
) -> GroupPage:
    """Return the values of one group's page; a refused form is shown with its errors."""
    members = Membership.objects.filter(cohort=group)
    coaches = members.filter(role=Role.COACH).select_related("user").order_by("user__name")
    open_keys = set(open_codes().filter(cohort=group).values_list("pk", flat=True))
    return GroupPage(
        group=group,
        trainees=members.filter(role=Role.TRAINEE).count(),
        coaches=[str(each.user) for each in coaches],
        courses=list(courses_with_members(group)) if is_on() else [],
        codes=[_code_row(request, each, open_keys) for each in group.codes.all()[:_MOST_CODES]],
        form=form or GroupCodeForm(),
        term=term or TermForm(instance=group, prefix="term"),
        roll_over=roll_over or RollOverForm(instance=unsaved_copy(group), prefix="next"),
    )


def _code_row(request: HttpRequest, code: GroupCode, open_keys: Collection[UUID]) -> CodeRow:
    half = len(code.code) // 2
    address = request.build_absolute_uri(reverse("portal:code", args=[code.code]))
    return CodeRow(
        code=code,
        shown=f"{code.code[:half]}-{code.code[half:]}",
        address=address,
        is_open=code.pk in open_keys,
    )
