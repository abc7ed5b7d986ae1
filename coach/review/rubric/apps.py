"""The Django app configuration of the rubric."""

from __future__ import annotations

from django.apps import AppConfig


class RubricConfig(AppConfig):
    """The app configuration of the rubric."""

    name = "coach.review.rubric"
    label = "rubric"
