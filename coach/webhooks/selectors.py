"""Queries about webhooks, for administrators."""

from __future__ import annotations

from django.db.models import QuerySet

from coach.accounts.models import User
from coach.webhooks.models import WebhookEndpoint, WebhookMessage


def endpoints_for(user: User) -> QuerySet[WebhookEndpoint]:
    """Return the addresses of the site, for administrators."""
    found = WebhookEndpoint.objects.select_related("added_by")
    return found if user.is_staff else found.none()


def messages_for(user: User) -> QuerySet[WebhookMessage]:
    """Return the log of messages, newest first, for administrators."""
    found = WebhookMessage.objects.select_related("endpoint")
    return found if user.is_staff else found.none()
