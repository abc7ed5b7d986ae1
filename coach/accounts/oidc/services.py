"""Accounts of the provider: link and unlink them, and follow the groups that it states."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Language, Role, User
from coach.accounts.people import add_person, join_cohort, leave_cohort
from coach.audit.services import record_act

log = logging.getLogger(__name__)


def make_account(*, address: str, name: str) -> User:
    """Create an account without a password, for a trainee."""
    language = get_language() or Language.ENGLISH
    return add_person(address=address, name=name, roles=[Role.TRAINEE], language=language)


@transaction.atomic
def link_account(*, person: User, sociallogin: SocialLogin, is_told: bool = False) -> None:
    """Link the account of the provider to the person, who gets an email if `is_told`."""
    sociallogin.user = sociallogin.account.user = person
    sociallogin.account.save()
    record_act(action="accounts.provider_linked", target=person, actor=person)
    if is_told:
        get_adapter().send_notification_mail("oidc/connected", person)


@transaction.atomic
def link_beforehand(*, person: User, uid: str, actor: User) -> bool:
    """Link the account that the provider knows by `uid`, for a person who has never signed in.

    Return False if it belongs to somebody else.
    """
    known = SocialAccount.objects.filter(provider=settings.OIDC_ISSUER, uid=uid).first()
    if known is None:
        SocialAccount.objects.filter(user=person, provider=settings.OIDC_ISSUER).delete()
        SocialAccount.objects.create(
            user=person,
            provider=settings.OIDC_ISSUER,
            uid=uid,
            extra_data={"email": person.email},
        )
        record_act(action="accounts.provider_linked", target=person, actor=actor)
    return known is None or known.user_id == person.pk


@transaction.atomic
def unlink_accounts(*, person: User) -> None:
    """Remove the person's accounts of providers, and tell them by email.

    Raises ValidationError for a person without a password, who could no longer sign in.
    """
    if not person.has_usable_password():
        raise ValidationError(_("Choose a password first, so that you can still sign in."))
    removed, _by_model = SocialAccount.objects.filter(user=person).delete()
    if removed:
        record_act(action="accounts.provider_unlinked", target=person, actor=person)
        get_adapter().send_notification_mail("oidc/disconnected", person)


@transaction.atomic
def follow_groups(*, person: User, claims: dict[str, Any]) -> None:
    """Join and leave the groups of the mapping, as the provider's claim says.

    Without the claim nothing changes. An administrator never becomes a coach this way: that opens
    recordings, and needs a reason.
    """
    values = claims.get(settings.OIDC_GROUPS_CLAIM)
    if values is None:
        return
    stated = {str(each) for each in (values if isinstance(values, list) else [values])}
    for role, mapping in (
        (Role.TRAINEE, settings.OIDC_TRAINEES),
        (Role.COACH, settings.OIDC_COACHES),
    ):
        wanted = {name for value, name in mapping.items() if value in stated}
        _leave(person, role, set(mapping.values()) - wanted)
        if role == Role.COACH and person.can_manage_people and wanted:
            log.warning("an administrator is not made a coach by the provider's groups")
            continue
        for cohort in _open_groups(wanted):
            if not person.memberships.filter(cohort=cohort, role=role).exists():
                join_cohort(person=person, cohort=cohort, role=role, actor=None)


def _leave(person: User, role: Role, names: set[str]) -> None:
    standing = person.memberships.filter(role=role, cohort__name__in=names)
    for membership in standing.select_related("cohort", "user"):
        leave_cohort(membership=membership, actor=None)


def _open_groups(names: set[str]) -> list[Cohort]:
    """Return the groups with these names that take new people; a name must be unambiguous."""
    found = list(Cohort.objects.filter(name__in=names, archived_at=None).order_by("pk"))
    chosen = [each for each in found if [other.name for other in found].count(each.name) == 1]
    if len(chosen) < len(names):
        log.warning(
            "a group of ROSTRUM_OIDC_TRAINEES or _COACHES is missing, or its name is not unique"
        )
    return chosen
