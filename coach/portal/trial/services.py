"""Services for trials: begin, and delete what is over."""

from __future__ import annotations

import logging
import secrets

from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from coach.accounts.models import Purpose, Role, User
from coach.accounts.services import give_consent
from coach.accounts.trial import TRIAL_LENGTH
from coach.audit.services import record_act
from coach.portal.personal.erasure import erase_person

log = logging.getLogger(__name__)

_NO_ADDRESS = "trial.invalid"
"""A domain that never exists (RFC 2606), for accounts need an address."""


def may_begin(request: HttpRequest) -> bool:
    """Count a trial and return whether it is within the limits of a day."""
    rates = {"trial": f"{settings.TRIALS_OF_AN_ADDRESS}/d/ip,{settings.TRIALS_A_DAY}/d/key"}
    usage = ratelimit.consume(request, app="rostrum", action="trial", config=rates, key="site")
    return usage is not None


@transaction.atomic
def begin_trial(*, language: str) -> User:
    """Make a visitor's account without name, address or password, with consent to the analysis.

    The log says that a trial began, never whose.
    """
    visitor = User.objects.create_user(
        f"{secrets.token_hex(8)}@{_NO_ADDRESS}",
        roles=[Role.TRAINEE],
        language=language,
        trial_ends_at=timezone.now() + TRIAL_LENGTH,
    )
    record_act(action="accounts.trial_begun", target=None)
    give_consent(user=visitor, purpose=Purpose.ANALYSIS, is_answer=True)
    return visitor


def sign_in_visitor(request: HttpRequest, visitor: User) -> None:
    """Sign the visitor in with this browser only, until the trial ends.

    On a site that ends idle sessions, this one ends like every other.
    """
    login(request, visitor, backend=settings.AUTHENTICATION_BACKENDS[0])
    if not settings.IDLE_MINUTES:
        request.session.set_expiry(visitor.trial_ends_at)


def erase_ended_trials() -> int:
    """Delete the visitors whose trial is over, with everything of theirs; return their number."""
    count = 0
    for visitor in User.objects.filter(trial_ends_at__lte=timezone.now()):
        try:
            erase_person(user=visitor)
        except ValidationError as obstacle:
            log.warning("a trial is not deleted: %s", obstacle.messages[0])
        else:
            count += 1
    return count
