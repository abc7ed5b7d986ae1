"""Queries about requests for an account."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db.models import F, QuerySet
from django.utils import timezone

from coach.accounts.models import User
from coach.lib.web.http import uuid_of
from coach.portal.models import AccessRequest, GroupCode

KEPT_DAYS = 30
"""Days after which an unanswered request is deleted (rule of thumb)."""
SIGNER = TimestampSigner(salt="portal.joining")


def is_of_domain(address: str) -> bool:
    """Return whether an account may be made for this address without an administrator."""
    if "domain" not in settings.ACCESS:
        return False
    return address.rpartition("@")[2].lower() in settings.ACCESS_DOMAINS


def waiting_requests() -> QuerySet[AccessRequest]:
    """Return the requests that wait for an administrator, oldest first."""
    return AccessRequest.objects.filter(needs_approval=True)


def expired_requests() -> QuerySet[AccessRequest]:
    """Return the requests that nobody answered or confirmed in time."""
    now = timezone.now()
    old = AccessRequest.objects.filter(asked_at__lt=now - timedelta(days=KEPT_DAYS))
    link_over = now - timedelta(days=settings.RESET_LINK_DAYS)
    return old | AccessRequest.objects.filter(needs_approval=False, asked_at__lt=link_over)


def request_of(token: str) -> AccessRequest | None:
    """Return the request that a confirmation link belongs to, or None if it is not valid."""
    try:
        signed = SIGNER.unsign(token, max_age=timedelta(days=settings.RESET_LINK_DAYS))
    except BadSignature:
        return None
    key = uuid_of(signed)
    return AccessRequest.objects.filter(pk=key, needs_approval=False).first() if key else None


def open_codes() -> QuerySet[GroupCode]:
    """Return the codes that can be used now."""
    return GroupCode.objects.filter(
        ended_at=None,
        ends_at__gt=timezone.now(),
        uses__lt=F("most_uses"),
        cohort__archived_at=None,
    ).select_related("cohort")


def code_of(text: str) -> GroupCode | None:
    """Return the open code in a text, in any case and with or without spaces and hyphens."""
    letters = "".join(each for each in text.upper() if each.isalnum())
    return open_codes().filter(code=letters).first() if letters else None


def person_with(address: str) -> User | None:
    """Return the account with this address, or None."""
    return User.objects.filter(email=address).first()
