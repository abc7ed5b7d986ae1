"""Django app configuration of rule sets."""

from __future__ import annotations

from django.apps import AppConfig


class RulesetsConfig(AppConfig):
    """Rule sets app; see the package's docstring."""

    name = "coach.rulesets"
    label = "rulesets"
