"""Models of webhooks: the addresses, and the log of their messages."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Event(models.TextChoices):
    """An event that a message can be about."""

    REPORT_READY = "report.ready", _("A report is ready")
    REVIEW_SENT = "review.sent", _("A coach has sent a review")
    HANDED_IN = "assignment.handed_in", _("A take was handed in for an assignment")


class WebhookEndpoint(models.Model):
    """An address that gets messages, with the secret that signs them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.URLField(max_length=500)
    # Encrypted with a key of the site (coach/webhooks/keys.py).
    secret = models.CharField(max_length=255)
    events = ArrayField(models.CharField(max_length=30, choices=Event.choices), default=list)
    is_active = models.BooleanField(default=True)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = pgettext_lazy("thing", "webhook")
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return self.url


class WebhookMessage(models.Model):
    """A message to one address, with its last attempt. Deleted after 30 days."""

    class Outcome(models.TextChoices):
        """The result of the last attempt."""

        WAITING = "waiting", pgettext_lazy("a message", "Waiting")
        DELIVERED = "delivered", pgettext_lazy("a message", "Delivered")
        REFUSED = "refused", pgettext_lazy("a message", "The address answered with an error")
        UNREACHABLE = "unreachable", pgettext_lazy("a message", "The address did not answer")
        NOT_PUBLIC = "not_public", pgettext_lazy("a message", "Not sent: the address is not public")
        NO_KEY = (
            "no_key",
            pgettext_lazy("a message", "Not sent: the key of this site does not open the secret"),
        )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.CASCADE, related_name="messages")
    event = models.CharField(max_length=30, choices=Event.choices)
    # Ids by name.
    data = models.JSONField()
    at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=12, choices=Outcome.choices, default=Outcome.WAITING)
    # HTTP status of the last answer; None without one.
    status = models.PositiveSmallIntegerField(null=True)
    # The next attempt; None once it is delivered or given up.
    next_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(next_at__isnull=False),
                name="webhook_messages_to_send",
            ),
            models.Index(fields=["endpoint", "-at"], name="messages_of_a_webhook"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.pk}"
