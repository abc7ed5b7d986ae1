"""Services for administrators on people and cohorts; each one is an audited action."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Language, Membership, PolicyPin, Role, User
from coach.accounts.selectors import is_last_administrator
from coach.audit.services import record_act
from coach.lib.pages.plain_text import one_line


@transaction.atomic
def add_person(
    *,
    address: str,
    name: str,
    roles: Collection[str],
    language: str = Language.ENGLISH,
    actor: User | None = None,
) -> User:
    """Create an account without a password; its person chooses one before the first sign-in."""
    person = User.objects.create_user(address, name=one_line(name), language=language)
    record_act(action="accounts.person_added", target=person, actor=actor)
    set_roles(person=person, roles=roles, actor=actor)
    return person


@transaction.atomic
def change_address(*, person: User, address: str, actor: User | None) -> None:
    """Replace the person's email address.

    Sessions end and reset links become invalid, since both are bound to the address; allauth's own
    rows, by which it also finds people, are deleted in the same transaction.
    """
    before, after = person.email, User.objects.normalize_email(address).lower()
    if before == after:
        return
    EmailAddress.objects.filter(Q(user=person) | Q(email=after)).delete()
    person.email = after
    person.save(update_fields=["email"])
    record_act(
        action="accounts.address_changed", target=person, actor=actor, before=before, after=after
    )


@transaction.atomic
def change_name(*, person: User, name: str, actor: User | None) -> None:
    """Change the person's name."""
    before, person.name = person.name, one_line(name)
    if before != person.name:
        person.save(update_fields=["name"])
        record_act(
            action="accounts.name_changed",
            target=person,
            actor=actor,
            before=before,
            after=person.name,
        )


@transaction.atomic
def keep_an_administrator(*, person: User) -> None:
    """Raise ValidationError if this person is the last administrator.

    Until the transaction ends, no other administrator can be removed: if two remove each other at
    the same moment, the second attempt fails. Call before locking any other person.
    """
    if not person.is_staff:
        return
    held = User.objects.select_for_update(no_key=True).filter(is_staff=True).order_by("pk")
    list(held.values_list("pk", flat=True))
    if is_last_administrator(person):
        raise ValidationError(last_administrator_error())


def last_administrator_error() -> str:
    """Return the error for removing the last administrator."""
    return _("There is no other administrator. Make another person an administrator first.")


@transaction.atomic
def set_roles(*, person: User, roles: Collection[str], actor: User | None) -> None:
    """Set the person's roles; only administrators may open the administration.

    Raises ValidationError for the last administrator, who must stay one.
    """
    before, after = list(person.roles), [role for role in Role.values if role in roles]
    is_administrator = Role.ADMINISTRATOR in after
    if sorted(before) == sorted(after) and person.is_staff == is_administrator:
        return
    if not is_administrator:
        keep_an_administrator(person=person)
    person.roles = after
    person.is_staff = person.is_superuser = is_administrator
    person.save(update_fields=["roles", "is_staff", "is_superuser"])
    record_act(
        action="accounts.roles_changed", target=person, actor=actor, before=before, after=after
    )


@transaction.atomic
def set_access(*, person: User, may_sign_in: bool, actor: User | None) -> None:
    """Close the account without deleting data, or open it again.

    Raises ValidationError for the last administrator.
    """
    if person.is_active == may_sign_in:
        return
    if not may_sign_in:
        keep_an_administrator(person=person)
    person.is_active = may_sign_in
    person.save(update_fields=["is_active"])
    record_act(
        action="accounts.access_changed",
        target=person,
        actor=actor,
        before=not may_sign_in,
        after=may_sign_in,
    )


@transaction.atomic
def join_cohort(
    *, person: User, cohort: Cohort, role: str, actor: User | None, leads: bool | None = None
) -> None:
    """Make the person a member and give them the role.

    `leads` sets whether a coach leads the others; None leaves that unchanged.
    """
    member, is_new = Membership.objects.get_or_create(cohort=cohort, user=person, role=role)
    if is_new:
        record_act(
            action="accounts.joined", target=person, actor=actor, cohort=cohort.name, role=role
        )
    if leads is not None and member.leads != leads and role == Role.COACH:
        member.leads = leads
        member.save(update_fields=["leads"])
        record_act(
            action="accounts.lead_changed",
            target=person,
            actor=actor,
            cohort=cohort.name,
            before=not leads,
            after=leads,
        )
    set_roles(person=person, roles={*person.roles, role}, actor=actor)


@transaction.atomic
def leave_cohort(*, membership: Membership, actor: User | None) -> None:
    """End a membership; the role stays, since the person may have it elsewhere."""
    record_act(
        action="accounts.left",
        target=membership.user,
        actor=actor,
        cohort=membership.cohort.name,
        role=membership.role,
    )
    membership.delete()


@transaction.atomic
def set_cohorts(*, person: User, role: str, cohorts: Iterable[Cohort], actor: User | None) -> None:
    """Set the cohorts in which the person has this role, ending other memberships."""
    wanted = {cohort.pk: cohort for cohort in cohorts}
    standing = person.memberships.filter(role=role).select_related("cohort", "user")
    for membership in standing.exclude(cohort__in=wanted):
        leave_cohort(membership=membership, actor=actor)
    for cohort in wanted.values():
        join_cohort(person=person, cohort=cohort, role=role, actor=actor)


@transaction.atomic
def save_cohort(*, cohort: Cohort, actor: User | None) -> None:
    """Save a new or changed cohort."""
    stored = Cohort.objects.filter(pk=cohort.pk).first()
    cohort.name = one_line(cohort.name)
    before, after = _terms(stored) if stored else {}, _terms(cohort)
    cohort.save()
    if before != after:
        action = "accounts.cohort_changed" if stored else "accounts.cohort_added"
        record_act(action=action, target=cohort, actor=actor, before=before, after=after)


@transaction.atomic
def set_archived(*, cohort: Cohort, is_archived: bool, actor: User | None) -> None:
    """Archive a group, which then takes no new people, or reopen it; members and takes stay."""
    if is_archived == (cohort.archived_at is not None):
        return
    cohort.archived_at = timezone.now() if is_archived else None
    cohort.save(update_fields=["archived_at"])
    action = "accounts.cohort_archived" if is_archived else "accounts.cohort_reopened"
    record_act(action=action, target=cohort, actor=actor)


@transaction.atomic
def roll_over_cohort(*, cohort: Cohort, copy: Cohort, actor: User) -> list[User]:
    """Save `copy`, a group for the next term, and add the coaches of `cohort` to it.

    Returns the coaches left out: closed accounts, and administrators, for whom another group to
    coach opens more recordings and needs a reason.
    """
    save_cohort(cohort=copy, actor=actor)
    left_out = []
    coaches = cohort.memberships.filter(role=Role.COACH).select_related("user").order_by("pk")
    for each in coaches:
        if each.user.can_manage_people or not each.user.is_active:
            left_out.append(each.user)
        else:
            join_cohort(
                person=each.user, cohort=copy, role=Role.COACH, actor=actor, leads=each.leads
            )
    return left_out


def hold_policy(*, cohorts: Iterable[Cohort], holder: str) -> None:
    """Lock the policies of these cohorts until `holder` releases them."""
    for cohort in cohorts:
        PolicyPin.objects.get_or_create(cohort=cohort, holder=holder)


def let_go_of_policies(*, holder: str) -> None:
    """Release all policies that this holder has locked."""
    PolicyPin.objects.filter(holder=holder).delete()


@transaction.atomic
def delete_cohort(*, cohort: Cohort, actor: User | None) -> None:
    """Delete a cohort: people and takes stay, and its coaches lose access to takes sent to them."""
    record_act(action="accounts.cohort_deleted", target=cohort, actor=actor, before=_terms(cohort))
    cohort.delete()


def _terms(cohort: Cohort) -> dict[str, object]:
    kept = ("media", "reports", "uploads", "exports")
    return {
        "name": cohort.name,
        "policy": cohort.policy,
        "reply_hours": cohort.reply_hours,
        "may_retract": cohort.may_retract,
        **{name: str(day) for name in ("starts_on", "ends_on") if (day := getattr(cohort, name))},
        **{f"keep_{kind}_days": getattr(cohort, f"keep_{kind}_days") for kind in kept},
        "most_gigabytes": cohort.most_gigabytes,
        "rubric_first": cohort.rubric_first,
        "rubric_for_trainees": cohort.rubric_for_trainees,
        "second_opinion_percent": cohort.second_opinion_percent,
        "second_opinion_first": cohort.second_opinion_first,
        "late_notices": cohort.late_notices,
        "without_cards_percent": cohort.without_cards_percent,
    }
