"""Changes of a second factor: log entries, and the reset by an administrator."""

from __future__ import annotations

from typing import Any

from allauth.mfa import signals
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.dispatch import receiver

from coach.accounts.models import User
from coach.audit.services import record_act


@transaction.atomic
def reset_second_factor(*, person: User, actor: User | None) -> bool:
    """Remove all second factors of a person and end their sessions; return False without any."""
    removed, _by_model = Authenticator.objects.filter(user=person).delete()
    if not removed:
        return False
    person.sign_in_round += 1
    person.save(update_fields=["sign_in_round"])
    record_act(action="accounts.second_factor_reset", target=person, actor=actor)
    return True


@receiver(signals.authenticator_added)
@receiver(signals.authenticator_reset)
def _log_addition(user: User, authenticator: Authenticator, **_more: Any) -> None:
    kind = str(authenticator.type)
    record_act(action="accounts.second_factor_added", target=user, actor=user, second_factor=kind)


@receiver(signals.authenticator_removed)
def _log_removal(user: User, authenticator: Authenticator, **_more: Any) -> None:
    kind = str(authenticator.type)
    record_act(action="accounts.second_factor_removed", target=user, actor=user, second_factor=kind)


@receiver(signals.authentication_failed)
def _log_failure(user: User, **_more: Any) -> None:
    record_act(action="accounts.sign_in_failed", target=user)
