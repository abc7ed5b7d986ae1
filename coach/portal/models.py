"""Receipts of deleted data, and hidden first steps."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Receipt(models.Model):
    """Receipt for a deleted take or account: counts and times, without a name.

    The keys of deleted takes identify nobody; with them the deletion can be checked again.
    """

    class What(models.TextChoices):
        """The kind of deletion."""

        TAKE = "take"
        EVERYTHING = "everything"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # For a take: its owner, while they have an account. For an account: None; its URL opens it.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="receipts"
    )
    what = models.CharField(max_length=12, choices=What.choices)
    made_at = models.DateTimeField(auto_now_add=True, db_index=True)
    takes = ArrayField(models.UUIDField(), default=list)
    # Interview recordings in which the person speaks, by their storage keys.
    interviews = ArrayField(models.UUIDField(), default=list)
    # Deleted rows by model; then the rows still found in a check right after.
    rows = models.JSONField(default=dict)
    rows_left = models.PositiveIntegerField(default=0)
    # Earlier copies of research data that may contain it
    # (`coach.research.exports.ledger.ExportedCopy`).
    copies = models.JSONField(default=list)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.what} deleted on {self.made_at:%Y-%m-%d}"


class HiddenSteps(models.Model):
    """A part of the site whose first steps a person has hidden."""

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
