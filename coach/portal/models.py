"""Receipts of deleted data, and hidden first steps."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Receipt(models.Model):
    """That a take, or everything of a person, was deleted: counts and times, and no name.

    The keys of takes mean nothing to anybody once the takes are gone; with them one can look again.
    """

    class What(models.TextChoices):
        """What was deleted."""

        TAKE = "take"
        EVERYTHING = "everything"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # Of a take: its owner, while they are here. Of everything: nobody; its address opens it.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="receipts"
    )
    what = models.CharField(max_length=12, choices=What.choices)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    takes = ArrayField(models.UUIDField(), default=list)
    # Recordings of interviews in which the person was heard, by their names in custody.
    interviews = ArrayField(models.UUIDField(), default=list)
    # Model: how many rows went with it; then how many were found when it was looked again at once.
    rows = models.JSONField(default=dict)
    rows_left = models.PositiveIntegerField(default=0)
    # Earlier copies of research data that may hold it (`coach.research.exports.ledger.Copy`).
    copies = models.JSONField(default=list)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.what} deleted on {self.made_at:%Y-%m-%d}"


class HiddenSteps(models.Model):
    """Somebody wants the first steps of a part of the site out of sight."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hidden_steps"
    )
    part = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "part"], name="first_steps_hidden_once"),
        ]

    def __str__(self) -> str:
        return f"{self.part} of {self.user}"
