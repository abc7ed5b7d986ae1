"""Services for webhooks: addresses, messages and their delivery."""

from __future__ import annotations

import base64
import secrets
import time
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.webhooks.addresses import NotPublic, check_literal
from coach.webhooks.keys import encrypted, is_on
from coach.webhooks.models import Event, WebhookEndpoint, WebhookMessage
from coach.webhooks.sending import Attempt, send

MOST_ENDPOINTS: Final = 20
"""Addresses of a site (rule of thumb)."""
WAITS: Final = tuple(
    timedelta(**each)
    for each in (
        {"seconds": 30},
        {"minutes": 5},
        {"minutes": 30},
        {"hours": 2},
        {"hours": 5},
        {"hours": 10},
        {"hours": 24},
    )
)
"""Time after each failed attempt, about as the Standard Webhooks specification proposes; then we
give up."""
KEEP_MESSAGES: Final = timedelta(days=30)
_ROUND_SECONDS: Final = 20.0
"""Longest time of a round, since emails wait behind it (rule of thumb)."""
_CLAIM: Final = timedelta(minutes=2)
"""Longer than an attempt takes: a worker that dies leaves the message to the next round."""
_GONE: Final = 410
"""HTTP status of an address that wants no more messages."""

Outcome = WebhookMessage.Outcome


@transaction.atomic
def add_endpoint(*, url: str, events: Collection[Event], actor: User) -> str:
    """Add an address, and return its new secret, which is not shown again.

    Raises ValidationError.
    """
    try:
        check_literal(url)
    except NotPublic as error:
        raise ValidationError(
            _("Give a public address that begins with https://, without a password in it.")
        ) from error
    if WebhookEndpoint.objects.filter(url=url).exists():
        raise ValidationError(_("There is a webhook to this address already."))
    if WebhookEndpoint.objects.count() >= MOST_ENDPOINTS:
        raise ValidationError(_("There are many webhooks already. Delete one first."))
    secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
    endpoint = WebhookEndpoint.objects.create(
        url=url, secret=encrypted(secret), events=sorted(events), added_by=actor
    )
    record_act(action="webhooks.added", target=endpoint, actor=actor, address=url)
    return secret


@transaction.atomic
def switch_endpoint(*, endpoint: WebhookEndpoint, is_active: bool, actor: User) -> None:
    """Switch an address on, or off: messages that wait for it are not sent."""
    if endpoint.is_active == is_active:
        return
    endpoint.is_active = is_active
    endpoint.save(update_fields=["is_active"])
    if not is_active:
        _give_up(endpoint)
    action = "webhooks.switched_on" if is_active else "webhooks.switched_off"
    record_act(action=action, target=endpoint, actor=actor, address=endpoint.url)


@transaction.atomic
def delete_endpoint(*, endpoint: WebhookEndpoint, actor: User) -> None:
    """Delete an address with the log of its messages."""
    record_act(action="webhooks.deleted", target=endpoint, actor=actor, address=endpoint.url)
    endpoint.delete()


def _give_up(endpoint: WebhookEndpoint) -> None:
    endpoint.messages.filter(next_at__isnull=False).update(next_at=None)


def announce(*, event: Event, data: Mapping[str, str], at: datetime | None = None) -> None:
    """Write a message about an event for each address that wants it; sent after `at`."""
    when = at or timezone.now()
    wanted = WebhookEndpoint.objects.filter(is_active=True, events__contains=[event])
    WebhookMessage.objects.bulk_create(
        WebhookMessage(endpoint=each, event=event, data=dict(data), at=when, next_at=when)
        for each in wanted
    )


def withdraw_message(*, event: Event, data: Mapping[str, str]) -> None:
    """Delete messages about an event that did not happen after all, unless they were sent."""
    unsent = WebhookMessage.objects.filter(attempts=0, next_at__gt=timezone.now())
    unsent.filter(event=event, data=dict(data)).delete()


def deliver_due() -> int:
    """Send the messages that are due, oldest first, for some seconds; return their number.

    An address that fails gets no second message in the same round.
    """
    if not is_on():
        return 0
    until, count = time.monotonic() + _ROUND_SECONDS, 0
    failed: set[UUID] = set()
    while time.monotonic() < until:
        message = _claim(failed)
        if message is None:
            break
        attempt = send(message)
        _note(message, attempt)
        if attempt.outcome != Outcome.DELIVERED:
            failed.add(message.endpoint_id)
        count += 1
    return count


@transaction.atomic
def _claim(failed: Collection[UUID]) -> WebhookMessage | None:
    due = WebhookMessage.objects.filter(next_at__lte=timezone.now(), endpoint__is_active=True)
    held = due.exclude(endpoint__in=list(failed)).select_for_update(of=("self",), skip_locked=True)
    message = held.select_related("endpoint").order_by("next_at").first()
    if message is not None:
        message.attempts += 1
        message.next_at = timezone.now() + _CLAIM
        message.save(update_fields=["attempts", "next_at"])
    return message


@transaction.atomic
def _note(message: WebhookMessage, attempt: Attempt) -> None:
    """Record an attempt, with the time of the next one."""
    is_over = attempt.outcome == Outcome.DELIVERED or message.attempts > len(WAITS)
    found = WebhookMessage.objects.filter(pk=message.pk)
    found.update(
        outcome=attempt.outcome,
        status=attempt.status,
        next_at=None if is_over else timezone.now() + WAITS[message.attempts - 1],
    )
    if attempt.status == _GONE:
        WebhookEndpoint.objects.filter(pk=message.endpoint_id).update(is_active=False)
        _give_up(message.endpoint)


def forget_messages() -> int:
    """Delete messages that are older than 30 days; return their number."""
    return WebhookMessage.objects.filter(at__lt=timezone.now() - KEEP_MESSAGES).delete()[0]
