"""The Django app configuration of threads."""

from __future__ import annotations

from django.apps import AppConfig


class ThreadsConfig(AppConfig):
    """The app configuration of threads."""

    name = "coach.review.threads"
    label = "threads"
