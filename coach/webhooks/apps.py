"""Django app configuration of webhooks."""

from __future__ import annotations

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Webhooks app; see the package's docstring."""

    name = "coach.webhooks"
    label = "webhooks"
