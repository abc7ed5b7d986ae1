"""Numbered, immutable releases of the rules."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class RuleSetRelease(models.Model):
    """One release: its documents as they were, its digest, and whether new drafts use it.

    Rows are never changed but for `is_active`; running drafts and released feedback keep theirs.
    """

    number = models.PositiveIntegerField(unique=True)
    digest = models.CharField(max_length=64)
    documents = models.JSONField()
    note = models.TextField(blank=True)
    published_at = models.DateTimeField(auto_now_add=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    is_active = models.BooleanField(default=False)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_active"],
                condition=models.Q(is_active=True),
                name="one_active_rule_set",
            ),
        ]

    def __str__(self) -> str:
        return f"Rule set {self.number}"
