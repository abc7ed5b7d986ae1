"""Sending of one message, signed, to a checked public address."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from datetime import UTC

from cryptography.fernet import InvalidToken
from django.utils import timezone
from standardwebhooks import Webhook

from coach.webhooks.addresses import NotFound, NotPublic
from coach.webhooks.keys import secret_of
from coach.webhooks.models import WebhookMessage
from coach.webhooks.public_requests import ask

Outcome = WebhookMessage.Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The result of an attempt."""

    outcome: WebhookMessage.Outcome
    status: int | None = None


def body_of(message: WebhookMessage) -> str:
    """Return the body of a message: the event, its time, and ids."""
    said = {"type": message.event, "timestamp": message.at.isoformat(), "data": message.data}
    return json.dumps(said, separators=(",", ":"))


def headers_of(message: WebhookMessage, body: str) -> dict[str, str]:
    """Return the signed headers of the Standard Webhooks specification, for this attempt.

    Raises InvalidToken if the key of this site does not open the secret.
    """
    key, now = f"msg_{message.pk.hex}", timezone.now().astimezone(UTC)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Rostrum webhooks",
        "webhook-id": key,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret_of(message.endpoint)).sign(key, now, body),
    }


def send(message: WebhookMessage) -> Attempt:
    """Send a message once, and return what happened. Its answer is not read."""
    body = body_of(message)
    try:
        reply = ask(
            message.endpoint.url,
            method="POST",
            headers=headers_of(message, body),
            body=body.encode(),
        )
    except InvalidToken:
        return Attempt(outcome=Outcome.NO_KEY)
    except NotPublic:
        return Attempt(outcome=Outcome.NOT_PUBLIC)
    except (NotFound, OSError, http.client.HTTPException):
        return Attempt(outcome=Outcome.UNREACHABLE)
    is_taken = 200 <= reply.status < 300
    return Attempt(outcome=Outcome.DELIVERED if is_taken else Outcome.REFUSED, status=reply.status)
