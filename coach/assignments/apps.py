"""Django app configuration of assignments."""

from __future__ import annotations

from django.apps import AppConfig


class AssignmentsConfig(AppConfig):
    """Assignments app; see the package's docstring."""

    name = "coach.assignments"
    label = "assignments"
