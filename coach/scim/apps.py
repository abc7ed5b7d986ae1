"""Django app configuration of SCIM."""

from __future__ import annotations

from django.apps import AppConfig


class ScimConfig(AppConfig):
    """SCIM app; see the package's docstring."""

    name = "coach.scim"
    label = "scim"
