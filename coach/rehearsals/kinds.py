"""Kinds of recording: takes, spans recorded again for comparison, exercises and answers."""

from __future__ import annotations

from typing import TypeVar

from django.db import models

_Recording = TypeVar("_Recording", bound=models.Model)


class Kind(models.TextChoices):
    """The kind of a recording. Only takes are counted, listed, sent and drafted from."""

    TAKE = "take"
    AGAIN = "again"
    """A span of a take, recorded again."""
    BEFORE = "before"
    """The original span, which uses the recording of its take."""
    EXERCISE = "exercise"
    """A short recording made in an exercise."""
    ANSWER = "answer"
    """An answer to a question after a talk."""


class Takes(models.Manager[_Recording]):
    """The default manager: takes only, so that no list or count includes other kinds."""

    def get_queryset(self) -> models.QuerySet[_Recording]:
        """Return takes only, without the other kinds."""
        return super().get_queryset().filter(kind=Kind.TAKE)


class AnyKind(models.Manager[_Recording]):
    """A manager of all kinds of recordings, for storage, erasure and processing."""
