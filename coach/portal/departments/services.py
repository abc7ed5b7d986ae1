"""Services of the site's administrators for departments; each one is an audited action."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.departments import Department, DepartmentAdministrator
from coach.accounts.models import Cohort, User
from coach.audit.services import record_act
from coach.lib.pages.plain_text import one_line
from coach.notices.models import Kind
from coach.notices.services import News, notify_once, settle


@transaction.atomic
def save_department(*, department: Department, actor: User) -> None:
    """Save a new or renamed department."""
    stored = Department.objects.filter(pk=department.pk).first()
    department.name = one_line(department.name)
    department.save()
    if stored is None:
        record_act(action="accounts.department_added", target=department, actor=actor)
    elif stored.name != department.name:
        record_act(
            action="accounts.department_changed",
            target=department,
            actor=actor,
            before=stored.name,
            after=department.name,
        )


@transaction.atomic
def set_closed(*, department: Department, is_closed: bool, actor: User) -> None:
    """Close a department, whose administrators then see nothing of it, or reopen it."""
    if is_closed == (department.closed_at is not None):
        return
    department.closed_at = timezone.now() if is_closed else None
    department.save(update_fields=["closed_at"])
    _mark(User.objects.filter(administrations__department=department))
    action = "accounts.department_closed" if is_closed else "accounts.department_reopened"
    record_act(action=action, target=department, actor=actor)


@transaction.atomic
def name_administrator(*, department: Department, person: User, actor: User) -> None:
    """Make a person administrator of a department, and notify them.

    Raises ValidationError for a closed account, and for an administrator of the site.
    """
    if person.is_staff:
        raise ValidationError(_("This person administers the whole site already."))
    if not person.is_active or person.is_trial:
        raise ValidationError(_("This account is closed."))
    row, is_new = DepartmentAdministrator.objects.get_or_create(department=department, user=person)
    if not is_new:
        return
    _mark(User.objects.filter(pk=person.pk))
    record_act(
        action="accounts.department_administrator_named",
        target=person,
        actor=actor,
        department=department.name,
    )
    notify_once(Kind.DEPARTMENT, [News(person=person, rehearsal=None, about=row)])


@transaction.atomic
def remove_administrator(*, row: DepartmentAdministrator, actor: User) -> None:
    """End a person's administration of a department; account, roles and groups stay."""
    settle(about=row, kind=Kind.DEPARTMENT)
    record_act(
        action="accounts.department_administrator_removed",
        target=row.user,
        actor=actor,
        department=row.department.name,
    )
    row.delete()
    _mark(User.objects.filter(pk=row.user_id))


@transaction.atomic
def move_group(*, cohort: Cohort, department: Department | None, actor: User) -> None:
    """Move a group to a department, or out of one; None leaves it to the site's administrators."""
    before = cohort.department
    if before == department:
        return
    cohort.department = department
    cohort.save(update_fields=["department"])
    record_act(
        action="accounts.cohort_moved",
        target=cohort,
        actor=actor,
        before=before.name if before else None,
        after=department.name if department else None,
    )


def _mark(people: QuerySet[User]) -> None:
    """Write down for each person whether they administer an open department."""
    standing = DepartmentAdministrator.objects.filter(
        user=OuterRef("pk"), department__closed_at=None
    )
    keys = list(people.values_list("pk", flat=True))
    User.objects.filter(pk__in=keys).update(administers_departments=Exists(standing))
