"""Django app configuration of questions after a talk."""

from __future__ import annotations

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    """Questions app; see the package's docstring."""

    name = "coach.questions"
    label = "questions"
