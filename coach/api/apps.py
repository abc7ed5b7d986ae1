"""Django app configuration of the API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """API app; see the package's docstring."""

    name = "coach.api"
    label = "api"
