"""Django app configuration of LTI."""

from __future__ import annotations

from django.apps import AppConfig


class LtiConfig(AppConfig):
    """LTI app; see the package's docstring."""

    name = "coach.lti"
    label = "lti"
