"""Services for people and groups that an identity provider manages; each change is audited.

They never give a role other than trainee, never touch coaches of a group, and delete nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from scim2_models import (
    ConflictException,
    ForbiddenException,
    InvalidValueException,
    PayloadTooLargeException,
    UniquenessException,
)

from coach.accounts.models import Cohort, Language, Role, User
from coach.accounts.oidc.services import link_beforehand
from coach.accounts.people import (
    add_person,
    change_address,
    change_name,
    join_cohort,
    leave_cohort,
    save_cohort,
    set_access,
    set_archived,
)
from coach.accounts.provisioned import ProvisionedGroup, ProvisionedPerson
from coach.accounts.selectors import standing_holds, ways_to_recordings
from coach.accounts.services import set_language
from coach.audit.services import record_act
from coach.lib.work.wakeups import wake_workers
from coach.portal.models import Invitation
from coach.portal.people.selectors import is_unused
from coach.portal.tasks import mail_invitations
from coach.scim.selectors import managed_people_for, managed_trainees

MOST_MEMBERS: Final = 1000
"""Members that one request may add or remove (rule of thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidPerson:
    """A person as the identity provider describes them."""

    user_name: str
    address: str
    name: str
    external_id: str
    preferred_language: str
    is_active: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidGroup:
    """A group as the identity provider describes it, with the ids of its members."""

    name: str
    external_id: str
    members: frozenset[UUID]


@transaction.atomic
def manage_person(
    *, said: SaidPerson, actor: User, matches: bool, invites: bool
) -> ProvisionedPerson:
    """Make an account for a trainee, or match one that exists if `matches`.

    An account that the provider deleted earlier is opened again under a new id. Raises
    UniquenessException for other accounts with this address.
    """
    _check_user_name(said, managed_people_for(actor))
    person = User.objects.filter(email=said.address).first()
    former = ProvisionedPerson.objects.filter(user=person).first() if person else None
    is_new = person is None
    if person is None:
        language = _language_of(said) or Language.ENGLISH
        person = add_person(
            address=said.address,
            name=said.name,
            roles=[Role.TRAINEE],
            language=language,
            actor=actor,
        )
    elif former and former.deleted_at:
        former.delete()
    elif former or not matches or person.is_trial:
        raise UniquenessException(detail=_("An account here has this email address."))
    if not said.name:
        said = replace(said, name=person.name)
    row = ProvisionedPerson(user=person, has_closed=bool(former and former.has_closed))
    # It has the person's language already.
    row.preferred_language = said.preferred_language
    _write_person(row, said, actor)
    record_act(action="scim.person_managed", target=person, actor=actor)
    if is_new and invites:
        Invitation.objects.create(person=person, asked_by=actor)
        transaction.on_commit(lambda: wake_workers(mail_invitations, ""))
    return row


@transaction.atomic
def change_person(*, row: ProvisionedPerson, said: SaidPerson, actor: User) -> None:
    """Change a managed person to what the provider says now."""
    _check_user_name(said, managed_people_for(actor).exclude(pk=row.pk))
    before = (row.user_name, row.external_id, row.preferred_language)
    _write_person(row, said, actor)
    if before != (row.user_name, row.external_id, row.preferred_language):
        record_act(action="scim.person_changed", target=row.user, actor=actor)


@transaction.atomic
def delete_person(*, row: ProvisionedPerson, actor: User) -> None:
    """Close the account of a managed person, and forget what the provider calls them.

    Recordings stay until their retention period ends; the memberships stay, with their legal holds.
    """
    _set_active(row, actor, is_active=False)
    row.user_name = row.external_id = row.preferred_language = ""
    row.deleted_at = timezone.now()
    row.save()
    record_act(action="scim.person_deleted", target=row.user, actor=actor)


def _check_user_name(said: SaidPerson, others: QuerySet[ProvisionedPerson]) -> None:
    if others.filter(user_name__iexact=said.user_name).exists():
        raise UniquenessException(detail=_("Another person has this userName."))


def _write_person(row: ProvisionedPerson, said: SaidPerson, actor: User) -> None:
    person = row.user
    change_name(person=person, name=said.name, actor=actor)
    _change_address(person, said.address, actor)
    language = _language_of(said)
    if language and row.preferred_language != said.preferred_language:
        set_language(user=person, language=language)
    _set_active(row, actor, is_active=said.is_active)
    if settings.OIDC_ISSUER and said.external_id and _is_untouched(person):
        _link(person, said.external_id, actor)
    row.user_name, row.external_id = said.user_name, said.external_id
    row.preferred_language = said.preferred_language
    row.save()


def _change_address(person: User, address: str, actor: User) -> None:
    """Change the address of a trainee.

    With another address somebody could choose a password: a token must not open an account that
    opens the recordings of others.
    """
    if address == person.email:
        return
    if User.objects.filter(email=address).exists():
        raise UniquenessException(detail=_("An account here has this email address."))
    if not set(person.roles) <= {Role.TRAINEE}:
        sentence = _("Only an administrator changes the address of somebody with this role.")
        raise ForbiddenException(detail=sentence)
    change_address(person=person, address=address, actor=actor)


def _set_active(row: ProvisionedPerson, actor: User, *, is_active: bool) -> None:
    """Close the account, or open one that the provider has closed."""
    person = row.user
    if is_active == person.is_active:
        row.has_closed = row.has_closed and not is_active
    elif not is_active:
        set_access(person=person, may_sign_in=False, actor=actor)
        row.has_closed = True
    elif row.has_closed:
        coached = person.memberships.filter(role=Role.COACH).values_list("cohort", flat=True)
        if ways_to_recordings(roles=person.roles, coaches_in=coached, is_active=True):
            sentence = _("Only an administrator opens this account, with a reason.")
            raise ConflictException(detail=sentence)
        set_access(person=person, may_sign_in=True, actor=actor)
        row.has_closed = False


def _link(person: User, external_id: str, actor: User) -> None:
    """Let a person who has never signed in do so at the provider, which knows them by this id."""
    if not link_beforehand(person=person, uid=external_id, actor=actor):
        raise UniquenessException(detail=_("Another account signs in with this externalId."))


def _is_untouched(person: User) -> bool:
    """Return whether nobody has signed in to this account, and it opens nothing of others."""
    return is_unused(person) and set(person.roles) <= {Role.TRAINEE}


def _language_of(said: SaidPerson) -> Language | None:
    tag = said.preferred_language.replace("_", "-").partition("-")[0].lower()
    return Language(tag) if tag in Language.values else None


@transaction.atomic
def manage_group(*, said: SaidGroup, actor: User, matches: bool) -> ProvisionedGroup:
    """Make a group, or match the one with this name if `matches`.

    Raises UniquenessException for other groups with this name.
    """
    found = list(_groups_called(said.name))
    if found and (not matches or len(found) > 1 or hasattr(found[0], "provisioned")):
        raise UniquenessException(detail=_("A group here has this name."))
    cohort = found[0] if found else Cohort(name=said.name)
    if not found:
        save_cohort(cohort=cohort, actor=actor)
    row = ProvisionedGroup.objects.create(cohort=cohort, external_id=said.external_id)
    record_act(action="scim.group_managed", target=cohort, actor=actor)
    _set_members(row, said.members, actor)
    return row


@transaction.atomic
def change_group(*, row: ProvisionedGroup, said: SaidGroup, actor: User) -> None:
    """Change name and trainees of a managed group to what the provider says now."""
    cohort = row.cohort
    if cohort.name != said.name:
        if _groups_called(said.name).exclude(pk=cohort.pk).exists():
            raise UniquenessException(detail=_("A group here has this name."))
        cohort.name = said.name
        save_cohort(cohort=cohort, actor=actor)
    if row.external_id != said.external_id:
        row.external_id = said.external_id
        record_act(action="scim.group_changed", target=cohort, actor=actor)
    _set_members(row, said.members, actor)
    row.save()


@transaction.atomic
def delete_group(*, row: ProvisionedGroup, actor: User) -> None:
    """Archive a managed group and manage it no longer; members and takes stay."""
    set_archived(cohort=row.cohort, is_archived=True, actor=actor)
    record_act(action="scim.group_deleted", target=row.cohort, actor=actor)
    row.delete()


def _groups_called(name: str) -> QuerySet[Cohort]:
    standing = Cohort.objects.filter(archived_at=None, name=name)
    return standing.order_by("pk").select_related("provisioned")


def _set_members(row: ProvisionedGroup, wanted: frozenset[UUID], actor: User) -> None:
    """Set which managed people are trainees of the group; nobody else's membership changes."""
    standing = {
        each.user.provisioned.pk: each
        for each in managed_trainees([row]).select_related("user__provisioned", "cohort")
    }
    joining, leaving = wanted - standing.keys(), standing.keys() - wanted
    if len(joining) + len(leaving) > MOST_MEMBERS:
        raise PayloadTooLargeException(detail=_("Too many members change at once."))
    people = list(managed_people_for(actor).filter(pk__in=joining))
    if len(people) < len(joining):
        raise InvalidValueException(detail=_("A member does not exist here."))
    if people and row.cohort.archived_at:
        raise ConflictException(detail=_("This group is archived and takes no new people."))
    if leaving and standing_holds().filter(cohort=row.cohort).exists():
        raise ConflictException(detail=_("A legal hold covers this group: nobody leaves it."))
    for person in people:
        join_cohort(person=person.user, cohort=row.cohort, role=Role.TRAINEE, actor=actor)
    for key in leaving:
        leave_cohort(membership=standing[key], actor=actor)
