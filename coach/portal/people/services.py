"""Services for lists of invitations, and for acts on several people."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models.deletion import Collector
from django.utils import timezone

from coach.accounts.models import Membership, User
from coach.accounts.people import add_person, join_cohort
from coach.accounts.personal_data import forget_in_administration
from coach.audit.personal_data import PERSONAL_DATA as AUDIT
from coach.audit.services import record_act
from coach.lib.work.wakeups import wake_workers
from coach.portal.departments.selectors import administered_accounts_for
from coach.portal.models import Invitation, InvitationList
from coach.portal.people.checking import CheckedLine, Defaults, check_list
from coach.portal.people.lists import ListLine
from coach.portal.people.selectors import people_on_hold, unused_of
from coach.portal.personal.erasure import erase_person
from coach.portal.tasks import mail_invitations


@transaction.atomic
def invite_list(
    *, lines: Sequence[ListLine], defaults: Defaults, actor: User
) -> InvitationList | None:
    """Make the accounts of a list, add people to groups, and let the worker email the links.

    Lines with a problem are left out; returns None if all are. Of two presses at once, the second
    one waits and then finds the accounts.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE portal_invitationlist IN SHARE ROW EXCLUSIVE MODE")
    checked = [
        each for each in check_list(lines, defaults=defaults, actor=actor) if not each.problems
    ]
    if not checked:
        return None
    made = InvitationList.objects.create(made_by=actor, joined=sum(each.joins for each in checked))
    record_act(action="accounts.list_invited", target=made, actor=actor, people=len(checked))
    for line in checked:
        _carry_out(line, made, actor)
    transaction.on_commit(lambda: wake_workers(mail_invitations, str(made.pk)))
    return made


def _carry_out(line: CheckedLine, made: InvitationList, actor: User) -> None:
    person = line.person or add_person(
        address=line.email,
        name=line.name,
        roles=line.roles,
        language=line.language,
        actor=actor,
    )
    if line.cohort is not None:
        for role in line.group_roles:
            join_cohort(person=person, cohort=line.cohort, role=role, actor=actor)
    if line.person is None:
        Invitation.objects.create(person=person, list=made, asked_by=actor)


@transaction.atomic
def undo_list(*, made: InvitationList, actor: User) -> tuple[int, int]:
    """Delete the accounts of a list that nobody has used; return their number and how many stay.

    An account stays if its person has chosen a password, if a legal hold covers it, or if its
    person is in a group that the actor does not administer.
    """
    unused = unused_of(made).filter(pk__in=administered_accounts_for(actor).values("pk"))
    people = list(unused.select_for_update(of=("self",)))
    withdrawn = withdraw_invitations(people=people, actor=actor)
    made.undone_at = timezone.now()
    made.save(update_fields=["undone_at"])
    record_act(action="accounts.list_undone", target=made, actor=actor, people=withdrawn)
    return withdrawn, made.invitations.count()


@transaction.atomic
def withdraw_invitations(*, people: Sequence[User], actor: User) -> int:
    """Delete accounts that their people never used; return their number. Held ones stay.

    Erasing looks into every table for each person, which takes minutes for a year group. Accounts
    that own nothing but memberships and an invitation are deleted together.
    """
    held = people_on_hold()
    leaving = [each for each in people if each.pk not in held]
    if not _own_only_an_invitation(leaving):
        for person in leaving:
            erase_person(user=person, actor=actor)
        return len(leaving)
    for person in leaving:
        forget_in_administration(person)
        AUDIT.erase(person)
        record_act(action="accounts.erased", target=person, actor=actor)
    User.objects.filter(pk__in=[each.pk for each in leaving]).delete()
    return len(leaving)


def _own_only_an_invitation(people: Sequence[User]) -> bool:
    collector = Collector(using=DEFAULT_DB_ALIAS)
    collector.collect(people)
    owned = {model for model, rows in collector.data.items() if rows}
    owned |= {each.model for each in collector.fast_deletes if each.exists()}
    return owned <= {User, Membership, Invitation}
