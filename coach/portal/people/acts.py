"""Acts on selected people, each through the service for one person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Role, User
from coach.accounts.people import join_cohort, leave_cohort, set_access
from coach.accounts.second_factor.services import reset_second_factor
from coach.accounts.selectors import ways_of, ways_to_recordings
from coach.lib.work.wakeups import wake_workers
from coach.notices.services import email_again
from coach.portal.departments.selectors import administered_accounts_for
from coach.portal.models import Invitation
from coach.portal.people.forms import Act
from coach.portal.people.selectors import is_unused
from coach.portal.people.services import withdraw_invitations
from coach.portal.tasks import mail_invitations


@dataclass(slots=True)
class Outcome:
    """The number of people for whom something changed, and a reason for each who stayed as is."""

    done: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    """Reasons, by the person's name."""


@transaction.atomic
def act_on_people(
    *, act: Act, people: Sequence[User], cohort: Cohort | None, actor: User
) -> Outcome:
    """Carry out an act for each of these people; a refusal for one does not stop the others."""
    outcome = Outcome()
    if act is Act.WITHDRAW:
        return _withdraw(people, actor)
    for person in people:
        try:
            outcome.done += _ACTS[act](person, cohort, actor)
        except ValidationError as error:
            outcome.refused[str(person)] = error.messages[0]
    if act is Act.RESEND and outcome.done:
        transaction.on_commit(lambda: wake_workers(mail_invitations, ""))
    return outcome


def _join(person: User, cohort: Cohort | None, actor: User, *, role: Role = Role.TRAINEE) -> bool:
    if cohort is None or person.memberships.filter(cohort=cohort, role=role).exists():
        return False
    if not person.is_active:
        raise ValidationError(_("This account is closed."))
    coaches_in = [cohort.pk] if role == Role.COACH else []
    after = ways_to_recordings(
        roles={*person.roles, role},
        coaches_in=coaches_in,
        is_active=person.is_active,
        administers_departments=person.administers_departments,
    )
    if role == Role.COACH and not after <= ways_of(person):
        raise ValidationError(_one_by_one())
    join_cohort(person=person, cohort=cohort, role=role, actor=actor)
    return True


def _join_as_coach(person: User, cohort: Cohort | None, actor: User) -> bool:
    return _join(person, cohort, actor, role=Role.COACH)


def _leave(person: User, cohort: Cohort | None, actor: User) -> bool:
    standing = list(person.memberships.filter(cohort=cohort).select_related("cohort", "user"))
    for membership in standing:
        leave_cohort(membership=membership, actor=actor)
    return bool(standing)


def _close(person: User, _cohort: Cohort | None, actor: User) -> bool:
    if person.pk == actor.pk:
        raise ValidationError(
            _("Ask another administrator to do this: you would lock yourself out.")
        )
    if not person.is_active:
        return False
    if not _may_change_account(person, actor):
        raise ValidationError(_used_elsewhere())
    set_access(person=person, may_sign_in=False, actor=actor)
    return True


def _open(person: User, _cohort: Cohort | None, actor: User) -> bool:
    if person.is_active:
        return False
    if not _may_change_account(person, actor):
        raise ValidationError(_used_elsewhere())
    coached = person.memberships.filter(role=Role.COACH).values_list("cohort", flat=True)
    if ways_to_recordings(
        roles=person.roles,
        coaches_in=coached,
        is_active=True,
        administers_departments=person.administers_departments,
    ):
        raise ValidationError(_one_by_one())
    set_access(person=person, may_sign_in=True, actor=actor)
    return True


def _resend(person: User, _cohort: Cohort | None, actor: User) -> bool:
    """Let the worker email another link; one that is still on its way is not doubled."""
    if not is_unused(person):
        raise ValidationError(_("This person has signed in already."))
    if not person.is_active:
        raise ValidationError(_("This account is closed."))
    asked = {
        "asked_by": actor,
        "asked_at": timezone.now(),
        "mailed_at": None,
        "refused_at": None,
        "tries": 0,
        "try_at": None,
    }
    Invitation.objects.update_or_create(person=person, defaults=asked)
    email_again(person=person)
    return True


def _email_again(person: User, _cohort: Cohort | None, _actor: User) -> bool:
    return email_again(person=person)


def _reset(person: User, _cohort: Cohort | None, actor: User) -> bool:
    return reset_second_factor(person=person, actor=actor)


def _withdraw(people: Sequence[User], actor: User) -> Outcome:
    outcome = Outcome()
    unused = []
    for person in people:
        if not is_unused(person) or person.is_staff:
            outcome.refused[str(person)] = _("This person has signed in already.")
        elif not _may_change_account(person, actor):
            outcome.refused[str(person)] = _used_elsewhere()
        else:
            unused.append(person)
    outcome.done = withdraw_invitations(people=unused, actor=actor)
    return outcome


def _may_change_account(person: User, actor: User) -> bool:
    return administered_accounts_for(actor).filter(pk=person.pk).exists()


def _used_elsewhere() -> str:
    return _("This account is also used outside your department. Ask an administrator of the site.")


def _one_by_one() -> str:
    return _(
        "This lets an administrator open recordings, which needs a reason. An administrator of "
        "the site does it in the form for one person."
    )


_Act = Callable[[User, Cohort | None, User], bool]
_ACTS: Mapping[Act, _Act] = {
    Act.JOIN: _join,
    Act.JOIN_AS_COACH: _join_as_coach,
    Act.LEAVE: _leave,
    Act.RESEND: _resend,
    Act.EMAIL_AGAIN: _email_again,
    Act.RESET: _reset,
    Act.CLOSE: _close,
    Act.OPEN: _open,
}
