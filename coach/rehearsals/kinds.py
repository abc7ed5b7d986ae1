"""Kinds of recording: a take, or a stretch that was redone to compare it with one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from coach.rehearsals.models import Rehearsal


class Kind(models.TextChoices):
    """Kind of a recording. Only takes are counted, listed, sent and drafted from."""

    TAKE = "take"
    AGAIN = "again"
    """A span of a take, recorded once more."""
    BEFORE = "before"
    """The same span as it was in the take, whose recording it borrows."""


class Takes(models.Manager["Rehearsal"]):
    """Takes alone: what shows, counts or shares them never meets the other kinds by chance."""

    def get_queryset(self) -> models.QuerySet[Rehearsal]:
        """Return takes only, without redone stretches."""
        return super().get_queryset().filter(kind=Kind.TAKE)


class AnyKind(models.Manager["Rehearsal"]):
    """Manager of all recordings: for storage, erasure and processing."""
