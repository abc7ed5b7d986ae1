"""Personal data of accounts: identity, consents and memberships."""

from __future__ import annotations

import json
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.forms.models import model_to_dict

from coach.accounts.models import User
from coach.accounts.provisioned import ProvisionedPerson
from coach.accounts.selectors import profile_of
from coach.lib.personal_data import PersonalData
from coach.lib.words.placeholder_names import ERASED_PERSON


def _export(user: User) -> dict[str, Any]:
    return {
        "name": user.name,
        "email": user.email,
        "account_since": user.joined_at,
        "last_sign_in": user.last_login,
        "trial_until": user.trial_ends_at,
        "roles": user.roles,
        "not_analysed": user.disabled_families,
        "profile": model_to_dict(profile_of(user), exclude=["user"]),
        "language": user.language,
        "keys": user.shortcuts,
        "away": {"from": user.away_from, "until": user.away_until},
        # Never their secrets.
        "second_factors": list(
            Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
        ),
        "institution_accounts": list(
            SocialAccount.objects.filter(user=user).values(
                "provider", "uid", "extra_data", "date_joined", "last_login"
            )
        ),
        "provisioned": list(
            ProvisionedPerson.objects.filter(user=user).values(
                "user_name",
                "external_id",
                "preferred_language",
                "added_at",
                "changed_at",
                "deleted_at",
            )
        ),
        "sessions": list(user.device_sessions.values("browser", "system", "began_at", "seen_at")),
        "consents": list(
            user.consents.values(
                "purpose", "version", "text", "language", "given_at", "withdrawn_at"
            )
        ),
        "groups": list(user.memberships.values("cohort__name", "role")),
        "departments": list(user.administrations.values("department__name", "since")),
        "holds": list(user.holds.values("reason", "set_at", "lifted_at")),
    }


def forget_in_administration(user: User) -> int:
    """Anonymise the person in Django's own log of the administration."""
    person = ContentType.objects.get_for_model(User)
    forgotten = LogEntry.objects.filter(content_type=person, object_id=str(user.pk)).update(
        object_repr=ERASED_PERSON, change_message=""
    )
    # A change of a cohort names its members in the message, as JSON. Older entries have "in"
    # instead of a dot.
    names = [json.dumps(f"{user} {link} ")[1:-1] for link in ("·", "in")]
    is_named = Q(change_message__contains=names[0]) | Q(change_message__contains=names[1])
    named = LogEntry.objects.filter(is_named)
    return forgotten + named.update(change_message="")


def _forget_sign_ins(user: User) -> int:
    """End the person's sessions on all devices; each of them contains their address."""
    own = [
        each.pk
        for each in Session.objects.iterator()
        if each.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    return Session.objects.filter(pk__in=own).delete()[0]


def _erase(user: User) -> int:
    return forget_in_administration(user) + _forget_sign_ins(user)


PERSONAL_DATA = PersonalData(
    app="accounts",
    kept={
        "groups": "as long as the account",
        "departments": "until the person administers it no more, at most as long as the account",
        "profile": "as long as the account",
        "second_factors": "until it is removed, at most as long as the account",
        "institution_accounts": "until it is disconnected, at most as long as the account",
        "provisioned": "as long as the account; the names until the identity provider deletes them",
        "sessions": "until the session ends",
        "consents": "as long as the account, withdrawn ones too",
        "holds": "as long as the account, lifted ones too",
    },
    export=_export,
    handed_out={
        "accounts.membership.user": "groups",
        "accounts.departmentadministrator.user": "departments",
        "accounts.consent.user": "consents",
        "accounts.profile.user": "profile",
        "mfa.authenticator.user": "second_factors",
        "accounts.devicesession.user": "sessions",
        "socialaccount.socialaccount.user": "institution_accounts",
        "accounts.provisionedperson.user": "provisioned",
        "accounts.legalhold.user": "holds",
    },
    excused={"accounts.legalhold.set_by": "an administrator's act; it stands among their acts"},
    erase=_erase,
)
